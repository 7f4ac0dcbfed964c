import { z } from 'zod';

/** `kiosk`: the terminal faces customers, its sales are started over the API, and only a manager can leave the mode. */
export const terminalMode = z.enum(['staff', 'kiosk']);
export const modeOfTerminal = terminalMode.meta({
  description: '`staff`: staff key in sales. `kiosk`: customers face it, and its sales are started over the API',
});
export type TerminalMode = z.infer<typeof terminalMode>;
