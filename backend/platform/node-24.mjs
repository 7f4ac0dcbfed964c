// Plain JavaScript, imported ahead of every program: an older Node cannot even read the TypeScript after it.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Florin needs Node 24; this is ${process.version}. Run "npm ci" and start it through npm (npm run …), which brings its own Node.\n`,
  );
  process.exit(1);
}
