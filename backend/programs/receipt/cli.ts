import { runReceipt } from './run.ts';

void runReceipt({
  args: process.argv.slice(2),
  now: Date.now,
  print: console.log,
  printError: console.error,
}).then(exitCode => {
  process.exitCode = exitCode;
});
