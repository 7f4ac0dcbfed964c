import { z } from 'zod';

/** `kiosk`: the terminal faces customers, software starts its sales, and only a manager gets it out of there. */
export const terminalMode = z.enum(['staff', 'kiosk']);
export type TerminalMode = z.infer<typeof terminalMode>;
