// Imported before every program run from source; a built program includes it (backend/programs/build/cli.ts).
import { prepareNode } from './prepare-node.mjs';

prepareNode(new URL('../../node_modules/.cache/florin', import.meta.url), { portable: false });
