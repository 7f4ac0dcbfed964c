import { runAdmin } from './run.ts';

process.umask(0o077);
void runAdmin({
  args: process.argv.slice(2),
  env: process.env,
  print: console.log,
  printError: console.error,
}).then(exitCode => {
  process.exitCode = exitCode;
});
