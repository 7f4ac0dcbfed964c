import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isTerminalUpToDate } from './built.ts';

const builtFile = 'device/renderer/dist/index.html';

function tree(files: Readonly<Record<string, number>>): string {
  const root = mkdtempSync(join(tmpdir(), 'florin-built-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, changedAtSeconds] of Object.entries(files)) {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    utimesSync(path, changedAtSeconds, changedAtSeconds);
  }
  return root;
}

test.each([
  ['was never built', { 'device/renderer/app.tsx': 1 }, false],
  ['is newer than its sources', { 'device/renderer/app.tsx': 1, 'shared/ports.ts': 1, [builtFile]: 2 }, true],
  ['is older than a screen', { 'device/renderer/screens/sale.tsx': 3, [builtFile]: 2 }, false],
  ['is older than what the terminal sends', { 'device/ipc/view.ts': 3, [builtFile]: 2 }, false],
  ['is older than a contract', { 'shared/contracts/device-v1/sales.ts': 3, [builtFile]: 2 }, false],
  ['is older than a design token', { 'shared/design/tokens.css': 3, [builtFile]: 2 }, false],
  ['is older than a changed package', { 'package-lock.json': 3, [builtFile]: 2 }, false],
  ['is older than other built files only', { 'device/renderer/dist/assets/a.js': 3, [builtFile]: 2 }, true],
] as const)('a build that %s', (_, files, isBuilt) => {
  expect(isTerminalUpToDate(builtFile, tree(files))).toBe(isBuilt);
});
