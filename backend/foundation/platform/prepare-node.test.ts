import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('a stack trace names the folder that runs, also where the compiled code was copied from another one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-prepared-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  const platform = 'backend/foundation/platform';
  for (const name of ['node-24.mjs', 'prepare-node.mjs'])
    cpSync(join(import.meta.dirname, name), join(one, platform, name));
  mkdirSync(join(one, 'parts'));
  writeFileSync(join(one, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(one, 'parts/part.ts'), 'export const trace = (): string => String(new Error().stack);');
  writeFileSync(join(one, 'main.ts'), "import { trace } from './parts/part.ts'; console.log(trace());");
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const traceIn = (cwd: string) =>
    execFileSync(process.execPath, ['--import', `./${platform}/node-24.mjs`, 'main.ts'], {
      cwd,
      env,
      encoding: 'utf8',
    });
  expect(traceIn(one)).toContain(join(one, 'parts/part.ts'));
  cpSync(one, other, { recursive: true });
  expect(traceIn(other)).toContain(join(other, 'parts/part.ts'));
});
