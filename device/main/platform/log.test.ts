import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sendDiagnostics } from '@florin/shared/contracts/device-v1/diagnostics.ts';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { platformText } from './system.ts';

test('a log line states why a call was not answered and its trace, and contains no secret', () => {
  const script = `
    import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).pathname)};
    createLog({ level: 'info' }).warn({
      code: 'ECONNRESET',
      saleId: 'sale_4bf92f3577b34da6a3ce929d0e0e4736',
      request: { enrolmentCode: 'ABCD-EFGH', token: 'tok_1', password: 'secret' },
    }, 'the service did not respond');`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stderr)).toMatchObject({
    msg: 'the service did not respond',
    code: 'ECONNRESET',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  });
  for (const secret of ['ABCD-EFGH', 'tok_1', 'secret']) expect(stderr).not.toContain(secret);
});

test('a log file is private, and is replaced when it is full, so that it does not fill the disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-log-'));
  const file = join(folder, 'logs', 'terminal.log');
  const log = createLog({ level: 'info', file });
  const text = 'x'.repeat(100_000);
  for (let line = 0; line < 120; line += 1) log.info({ line, text }, 'a long line');
  expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual(['terminal.log', 'terminal.log.1']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(`${file}.1`).size).toBeLessThan(6 * 1024 * 1024);
  expect(readFileSync(file, 'utf8')).toContain('"line":119');
  rmSync(folder, { recursive: true });
});

test('the last lines are kept for support, without secrets, and no more than one request carries', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'florin-log-')), 'terminal.log');
  const log = createLog({ level: 'info', file });
  for (let line = 0; line < 2_000; line += 1) log.info({ line, token: 'tok_1', text: '"'.repeat(line) }, 'a line');
  const recent = log.recent();
  expect(recent.at(-1)).toContain('"line":1999');
  expect(recent.length).toBeGreaterThan(10);
  expect(recent.join('')).not.toContain('tok_1');
  const body = { launchCode: 'K7MTQX', appVersion: '1.0.0', platform: platformText('Test'), log: recent };
  expect(sendDiagnostics.body.safeParse(body).success).toBe(true);
  // The largest body that the service takes.
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(100_000);
  rmSync(dirname(file), { recursive: true });
});

test('the reason of a crash is the first line of the diagnostics of the next launches', async () => {
  const data = mkdtempSync(join(tmpdir(), 'florin-log-'));
  const main = new URL('../browser/main.ts', import.meta.url).pathname;
  // Any exception that nothing catches, once the program is running.
  const planted = `const look = setInterval(() => {
    if (process.listenerCount('SIGTERM') === 0) return;
    clearInterval(look);
    throw new Error('a planted fault');
  }, 20);`;
  const args = ['--service', 'http://127.0.0.1:9', '--data', data, '--reader', join(data, 'none'), '--port', '0'];
  const program = spawn(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(planted)}`,
    main,
    ...args,
  ]);
  const [code] = (await once(program, 'exit')) as [number];
  expect(code).toBe(1);
  const faultFile = join(data, 'last-fault.json');
  expect(statSync(faultFile).mode & 0o777).toBe(0o600);
  const log = createLog({ level: 'info', file: join(data, 'terminal.log'), faultFile });
  for (let line = 0; line < 2_000; line += 1) log.info({ line }, 'a line');
  const [first = '', ...others] = log.recent();
  expect(JSON.parse(first)).toMatchObject({
    msg: 'the terminal failed',
    error: expect.stringContaining('a planted fault'),
  });
  expect(others.at(-1)).toContain('"line":1999');
  rmSync(data, { recursive: true });
});
