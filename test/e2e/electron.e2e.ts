import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { _electron, expect, test } from '@playwright/test';
import { ScriptedService } from '../support/terminal/scripted-service.ts';

const device = new URL('../../device/', import.meta.url).pathname;

/** The package names its binary in a file; importing the package itself would try to download one. */
function electronBinary(): string | undefined {
  const folder = dirname(createRequire(join(device, 'package.json')).resolve('electron/package.json'));
  const pathFile = join(folder, 'path.txt');
  const binary = existsSync(pathFile) ? join(folder, 'dist', readFileSync(pathFile, 'utf8').trim()) : undefined;
  return binary && existsSync(binary) ? binary : undefined;
}

const binary = electronBinary();
const isBuilt = existsSync(join(device, 'out/main/main.mjs'));
const notBuilt = isBuilt ? undefined : 'Electron’s main process is not built: npm run build --workspace device';
const whyNot = binary ? notBuilt : 'Electron’s binary is not installed here (node_modules/electron/dist)';

test('in Electron the terminal is enrolled over its channels, and its window cannot navigate, open pages or run other scripts', async () => {
  if (whyNot) console.log(`skipped: ${whyNot}`);
  test.skip(whyNot !== undefined, whyNot);
  const service = new ScriptedService({ now: () => Date.now() });
  await service.start();
  const data = mkdtempSync(join(tmpdir(), 'florin-electron-'));
  const app = await _electron.launch({
    executablePath: binary ?? '',
    args: ['--no-sandbox', device, '--service', service.url, '--data', data, '--reader', join(data, 'no-reader')],
  });
  try {
    const page = await app.firstWindow();
    await expect(page.getByText(/enrol/i).first()).toBeVisible();
    expect(await page.evaluate('typeof require')).toBe('undefined');
    expect(await page.evaluate('typeof process')).toBe('undefined');
    expect(await page.evaluate('Object.keys(window.florin).toSorted().join()')).toBe('onView,send');
    const evaluated = await page.evaluate("(() => { try { return eval('1') } catch { return 'blocked' } })()");
    expect(evaluated).toBe('blocked');
    await page.evaluate("window.location.href = 'https://evil.example/'");
    expect(page.url()).toBe('florin://terminal/');
    expect(await page.evaluate("window.open('https://evil.example/') === null")).toBe(true);
    const answer = await page.evaluate(`window.florin.send({ name: 'enrol', code: '${service.enrolmentCode}' })`);
    expect(answer).toEqual({ kind: 'accepted' });
    await expect(page.getByText('Corner Café').first()).toBeVisible();
  } finally {
    await app.close();
    await service.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
