// Plain JavaScript, because an older Node cannot parse TypeScript.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Refuses an older Node, and keeps compiled code in `folder` (a file: address) for the next start, which takes a good part
 * off the time to the first answer. What is read back is run: it lies where only who installed the program can write, never
 * in a shared temporary folder. Where it cannot be written the program starts as it would without.
 * NODE_DISABLE_COMPILE_CACHE=1 switches it off.
 *
 * @param {URL} folder
 * @param {{ readonly portable: boolean }} options Whether it also serves the program once both were moved. For JavaScript only: of
 * TypeScript it holds the path, which stack traces would name after a move.
 */
export function prepareNode(folder, { portable }) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 24) {
    process.stderr.write(
      `Florin needs Node 24; this is ${process.version}. Run "npm ci" and start it through npm (npm run …), which brings its own Node.\n`,
    );
    process.exit(1);
  }
  module.enableCompileCache({ directory: fileURLToPath(folder), portable });
}
