// Plain JavaScript, imported ahead of every program: an older Node cannot even read the TypeScript after it.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Florin needs Node 24; this is ${process.version}. Run "npm ci" and start it through npm (npm run …), which brings its own Node.\n`,
  );
  process.exit(1);
}
// Compiled code is kept for the next start, which halves the time to the first answer. It lies where only who installed
// the program can write, never in a shared temporary folder: what is read back is run. Where it cannot be written the
// program starts as it would without. NODE_DISABLE_COMPILE_CACHE=1 switches it off.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/florin', import.meta.url)));
