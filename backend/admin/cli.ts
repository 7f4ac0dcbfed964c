import { runAdmin } from './run.ts';

process.exitCode = await runAdmin({
  args: process.argv.slice(2),
  env: process.env,
  print: console.log,
  complain: console.error,
});
