import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { SerialPort } from 'serialport';
import { expect, onTestFinished, test } from 'vitest';
import { realTimers } from '../platform/real.ts';
import { bytesOf, escaped } from './escapes.ts';
import { playByHand } from './play.ts';

test('every byte is shown as text that can be typed to send it', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(escaped(all)).toMatch(/^[\x20-\x7e]*$/);
  expect(bytesOf(escaped(all))).toEqual(Buffer.from(all));
  expect(escaped(Buffer.from('\x02PAY 1\\2\r\n'))).toBe('\\x02PAY 1\\\\2\\r\\n');
  for (const typed of ['é', '\\q', '\\x2', '\\', '\t']) expect([typed, bytesOf(typed)]).toEqual([typed, undefined]);
});

test('a driver is played by hand: rows and bursts are printed, what is typed is sent, and the end of input ends it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-raw-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const input = new PassThrough();
  const [printed, complaints]: [string[], string[]] = [[], []];
  const hand = await playByHand({
    timers: realTimers,
    input,
    print: row => printed.push(row),
    complain: message => complaints.push(message),
    link: join(folder, 'reader'),
  });
  onTestFinished(() => hand.close());
  const port = new SerialPort({ path: hand.path, baudRate: 115_200 });
  onTestFinished(() => port.close());
  let received = '';
  port.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1');
  });

  port.write(Buffer.from('QUERY 1\nQUERY 2\n\x02\x80', 'latin1'));
  await expect.poll(() => printed, { interval: 5 }).toEqual(['QUERY 1\\n', 'QUERY 2\\n', '\\x02\\x80']);
  input.write('ANSWER 1\\r\\n\n');
  input.write('no \\escape\n');
  input.write('\\x06\\xff\n');
  await expect.poll(() => received, { interval: 5 }).toBe('ANSWER 1\r\n\x06\xff');
  expect(complaints).toEqual([expect.stringMatching(/^Not sent: /)]);
  input.end();
  await hand.ended;
  hand.close();
  expect(existsSync(hand.path)).toBe(false);
});
