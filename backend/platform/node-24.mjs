// Imported ahead of every program that runs from its sources; a built one has this in it (backend/build/cli.ts).
import { prepareNode } from './prepare-node.mjs';

prepareNode(new URL('../../node_modules/.cache/florin', import.meta.url));
