import { runAdmin } from './run.ts';

void runAdmin({
  args: process.argv.slice(2),
  env: process.env,
  print: console.log,
  complain: console.error,
}).then(exitCode => {
  process.exitCode = exitCode;
});
