import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { readCommandLine } from '../main/browser/command-line.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const terminal = read('florin-terminal.service');
const kiosk = read('florin-kiosk.service');

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-kiosk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for PATH in which this program is a script. */
function aPathWith(program: string, script: string): string {
  const folder = aFolder();
  writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, program), 0o755);
  return `${folder}:${process.env.PATH}`;
}

/** The real program, as the unit starts it but for `more`; resolves to its address once its page can be opened. */
async function startTerminal(data: string, more: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {}) {
  const main = join(import.meta.dirname, '../main/browser/main.ts');
  const args = ['--service', 'http://127.0.0.1:9', '--data', data, '--reader', join(data, 'none'), '--json', '--quiet'];
  const env = { ...process.env, ...more.env };
  const child = spawn(process.execPath, [main, ...args, ...(more.args ?? [])], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGTERM')) await ended;
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return JSON.parse(line) as { readonly url: string; readonly port: number };
}

test('the browser opens the address of the terminal, from the secret that systemd hands over', async () => {
  const data = aFolder();
  const { url, port } = await startTerminal(data, { args: ['--port', '0'] });
  expect(kiosk).toContain('LoadCredential=page.key:/var/lib/florin-terminal/page.key');
  expect(terminal).toContain('--data /var/lib/florin-terminal');
  const opened = execFileSync('/bin/sh', [join(import.meta.dirname, 'kiosk.sh')], {
    env: { CREDENTIALS_DIRECTORY: data, PATH: aPathWith('chromium', `for last; do :; done; printf %s "$last"`) },
    encoding: 'utf8',
  });
  const usual = readCommandLine({
    argv: ['', '', '--service', 'https://a.example', '--data', data],
    exit: process.exit,
  });
  expect(opened).toBe(url.replace(String(port), String(usual.port)));
  expect(terminal).not.toContain('--port');
});

test('the policies allow the page of the terminal and no other address', () => {
  const policies = JSON.parse(read('chromium-policies.json')) as Readonly<Record<string, unknown>>;
  const [origin] = /http:\/\/[\d.:]+/.exec(read('kiosk.sh')) ?? [];
  expect(policies).toMatchObject({ URLBlocklist: ['*'], URLAllowlist: [origin], DeveloperToolsAvailability: 2 });
});

test('systemd is told that the terminal is ready, and again and again that it lives', async () => {
  const told = join(aFolder(), 'told');
  const PATH = aPathWith('systemd-notify', `echo "$1" >> ${told}`);
  const env = { PATH, NOTIFY_SOCKET: '/run/none', WATCHDOG_USEC: '150000' };
  await startTerminal(aFolder(), { args: ['--port', '0'], env });
  const lines = () => (existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : []);
  await expect.poll(() => lines().filter(line => line === 'WATCHDOG=1').length, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(lines()).toContain('READY=1');
  expect(terminal).toMatch(/^Type=notify\nNotifyAccess=all\nWatchdogSec=60$/m);
});

test('both READMEs have a folder of their own for each', () => {
  const ofTerminal = [...`${terminal}${kiosk}${read('README.md')}`.matchAll(/\/opt\/[\w-]+/g)].map(([path]) => path);
  expect(new Set(ofTerminal)).toEqual(new Set(['/opt/florin-terminal', '/opt/florin']));
  expect(`${terminal}${kiosk}`).not.toMatch(/\/opt\/florin\b(?!-)/);
  expect(read('../../backend/deploy/README.md')).not.toContain('/opt/florin-terminal');
});
