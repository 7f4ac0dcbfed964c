import { fileURLToPath } from 'node:url';

/** The folder of the built screens. `npm run build` replaces this module: there they lie beside the program. */
export const screensFolder = () => fileURLToPath(new URL('../../renderer/dist', import.meta.url));
