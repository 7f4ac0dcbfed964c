import { execFile } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';

const urlOf = (path: string) => new URL(path, import.meta.url);
/** A user without rights; root may write everywhere. */
const nobody = 65_534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** Runs command lines in one process of that user. */
async function runAsUser(
  DATA: string,
  lines: readonly (readonly string[])[],
): Promise<{ code: number; out: string }[]> {
  const program = `
    import { runAdmin } from '${urlOf('run.ts')}';
    const outcomes = [];
    for (const args of ${JSON.stringify(lines)}) {
      let out = '';
      const print = text => { out += text + '\\n'; };
      const code = await runAdmin({ args, env: ${JSON.stringify({ DATA })}, print, printError: print });
      outcomes.push({ code, out });
    }
    console.log(JSON.stringify(outcomes));`;
  const node24 = urlOf('../../foundation/platform/node-24.mjs').href;
  const args = ['--import', node24, '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {}, cwd: urlOf('.'), ...user });
  return JSON.parse(stdout) as { code: number; out: string }[];
}

test('who may not write the data folder or its database is told so in one line, with what to do', async () => {
  const world = await aBackend();
  await world.aBusiness();
  await world.stop();
  const data = mkdtempSync(join(tmpdir(), 'florin-rights-'));
  onTestFinished(() => {
    chmodSync(data, 0o700);
    rmSync(data, { recursive: true, force: true });
  });
  for (const name of readdirSync(world.settings.data)) {
    const file = join(data, name);
    copyFileSync(join(world.settings.data, name), file);
    chmodSync(file, 0o400);
    if (user.uid !== undefined) chownSync(file, nobody, nobody);
  }
  chmodSync(data, 0o500);
  if (user.uid !== undefined) chownSync(data, nobody, nobody);
  const says = new RegExp(`^The user \\S+ may not write ${data}\\. chmod u\\+w ${data}\n$`);
  const [doctor, ...others] = await runAsUser(data, [
    ['doctor', '--json'],
    ['business', 'list'],
    ['backup', 'create', '--file', '/dev/null/b'],
    ['backup', 'verify', '--file', '/dev/null/b'],
  ]);
  const refused = { code: 1, out: expect.stringMatching(says) };
  expect(others).toEqual([refused, refused, refused]);
  const { findings } = JSON.parse(doctor?.out ?? '') as { findings: { check: string }[] };
  expect(findings.filter(({ check }) => check === 'database')).toEqual([
    {
      check: 'database',
      state: 'wrong',
      says: expect.stringMatching(`may not write ${data}`),
      todo: `chmod u+w ${data}`,
    },
  ]);
});
