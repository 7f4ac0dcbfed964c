import { createDecipheriv, hkdfSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFrame, type Frame } from '@florin/shared/reader-line/frame.ts';
import { SerialPort } from 'serialport';
import { describe, expect, test } from 'vitest';
import { parseAction } from './actions.ts';
import { sealCard } from './cards/card-block.ts';
import { wallet } from './cards/wallet.ts';
import { realRandom, seededRandom } from './platform/real.ts';
import { openPty } from './pty/open.ts';
import { ptyBackends } from './pty/pty.ts';
import { describeLine } from './readers/line/describe.ts';
import { ReaderMemory } from './readers/line/memory.ts';
import { describe as describeBytes } from './readers/zvt/describe.ts';
import { wrap } from './readers/zvt/wire.ts';
import { parseScenario } from './scenarios/scenario.ts';

describe.each(ptyBackends)('a pty by %s', backend => {
  test('carries every byte both ways and hangs up when closed', async () => {
    const pty = await openPty(backend);
    const port = new SerialPort({ path: pty.path, baudRate: 115_200 });
    await new Promise<void>(resolve => port.once('open', () => resolve()));
    const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    const collect = (from: (listener: (bytes: Buffer) => void) => void) =>
      new Promise<Buffer>(resolve => {
        let got = Buffer.alloc(0);
        from(bytes => {
          got = Buffer.concat([got, bytes]);
          if (got.length >= all.length) resolve(got);
        });
      });
    const atHost = collect(listener => port.on('data', listener));
    const atReader = collect(listener => pty.onData(listener));
    pty.write(all);
    port.write(all);
    expect(await atHost).toEqual(all);
    expect(await atReader).toEqual(all);
    const closed = new Promise<void>(resolve => port.once('close', () => resolve()));
    await new Promise(resolve => setImmediate(resolve));
    pty.close();
    // Wakes serialport if it misses a hang-up that comes with data; the driver's own binding does not need this.
    port.on('error', () => undefined);
    port.write('x', () => undefined);
    await closed;
  });
});

describe('the card block', () => {
  test('decrypts with the agreed key to the agreed content; its key changes every time', () => {
    const card = wallet[0];
    if (card === undefined) throw new Error('the wallet is empty');
    const seal = (counter: number) =>
      sealCard({ card, track: 'chip', pinVerified: true, counter, readerNumber: '5A17C0', random: realRandom });
    const { block, keySerialNumber } = seal(7);
    const key = hkdfSync('sha256', 'florin-sandbox-reader-key-v1', Buffer.from(keySerialNumber), 'card-block', 32);
    const bytes = Buffer.from(block, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    const opened = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
    expect(JSON.parse(opened)).toEqual({
      pan: '4929421234600821',
      expiry: '3012',
      track: 'chip',
      pinVerified: true,
      counter: 7,
    });
    expect(keySerialNumber).toMatch(/^[0-9A-F]{20}$/);
    expect(seal(8).keySerialNumber).not.toBe(keySerialNumber);
  });
});

describe('the non-volatile memory', () => {
  test('survives the end of the program, contains no card number, and keeps at least 16 transactions', () => {
    const folder = mkdtempSync(join(tmpdir(), 'florin-memory-'));
    try {
      const first = ReaderMemory.open({ folder, readerNumber: '5A17C0' });
      first.nextKeyCounter();
      for (let index = 0; index < 40; index++)
        first.put({
          txn: `sale_${index}`,
          amountMinor: 100,
          currency: '826',
          exponent: 2,
          state: 'done',
          confirmed: index !== 39,
          result: { outcome: 'approved', pan: '****0821' },
        });
      const second = ReaderMemory.open({ folder, readerNumber: 'FFFFFF' });
      expect(second.readerNumber).toBe('5A17C0');
      expect(second.nextKeyCounter()).toBe(2);
      expect(second.unconfirmed()?.txn).toBe('sale_39');
      expect(second.find('sale_24')).toBeDefined();
      expect(second.transactions.length).toBeGreaterThanOrEqual(16);
      expect(readFileSync(join(folder, 'reader-memory.json'), 'utf8')).not.toMatch(/\d{13}/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('what the timeline shows of a frame', () => {
  const shown = (frame: Frame) => {
    const line = encodeFrame(frame);
    return line.ok ? describeLine(line.value, 'reader') : undefined;
  };

  test('a line with a card number is hidden, and a card block replaced by its length', () => {
    expect(describeLine('E 0001 X note=4111111111111111*0', 'reader')).toEqual({
      lane: 'reader',
      text: 'Hidden: it may hold a card number',
      frame: { name: 'hidden', raw: '(hidden)' },
    });
    expect(describeLine('E 0001 ONLINE block=QUJD part=1/1*0', 'reader')).toMatchObject({
      text: 'Not a valid line: no checksum',
      frame: { raw: 'E 0001 ONLINE block=(4) part=1/1*0' },
    });
  });

  test.each<[Frame, string]>([
    [
      { kind: 'Q', sequence: 7, verb: 'PAY', fields: { txn: 'sale_1', amt: '2399', cur: '826', exp: '2', tmo: '90' } },
      'Take GBP 23.99 for sale_1, within 90 s',
    ],
    [
      { kind: 'Q', sequence: 8, verb: 'AUTH', fields: { txn: 'sale_1', ksn: 'A1', outcome: 'declined', code: '05' } },
      'The bank’s answer: declined, code 05',
    ],
    [
      { kind: 'Q', sequence: 8, verb: 'AUTH', fields: { txn: 'sale_1', ksn: 'A1', outcome: 'unknown' } },
      'The bank’s answer: none, the outcome is unknown',
    ],
    [
      {
        kind: 'R',
        sequence: 7,
        verb: 'PAY',
        fields: { txn: 'sale_1', outcome: 'declined', by: 'card', code: 'PIN_TRIES' },
      },
      'Result: declined by the card, PIN_TRIES',
    ],
    [
      { kind: 'A', sequence: 9, verb: 'LAST', fields: { txn: 'sale_1', state: 'unknown' } },
      'sale_1: never heard of it',
    ],
    [{ kind: 'A', sequence: 9, verb: 'CONSTRUCTOR', fields: {} }, 'Unknown: CONSTRUCTOR'],
  ])('%o in words', (frame, text) => {
    expect(shown(frame)?.text).toBe(text);
  });

  test.each([
    ['06010a0400000000239949082619', 'A damaged command'],
    ['06010a04000000001250490978', 'Payment: EUR 12.50'],
    ['04ff010a', 'Progress: waits for a card'],
    ['849c00', 'Refused: busy'],
    ['040f11270004000000002399490826870012', 'A damaged command'],
    ['040f0f270004000000002399490826870012', 'Status information: approved, GBP 23.99, receipt 0012'],
    ['040f02276c', 'Status information: failed, 6C'],
  ])('%s of ZVT in words', (digits, text) => {
    const block = wrap(Buffer.from(digits, 'hex'));
    expect(describeBytes(block, { lane: 'terminal', medium: 'serial' }).text).toBe(text);
  });

  test('a card number in ZVT is masked in the bytes', () => {
    const block = wrap(Buffer.from('04ff0b22f0f84111111111111111', 'hex'));
    const { frame } = describeBytes(block, { lane: 'terminal', medium: 'serial' });
    expect(frame?.raw.replaceAll(' ', '')).toContain('22F0F8411111******1111');
  });
});

describe('scenarios', () => {
  test.each(['approve', 'demo', 'unplugged', 'noise'])('%s.yaml is well-formed', name => {
    const text = readFileSync(new URL(`scenarios/${name}.yaml`, import.meta.url), 'utf8');
    expect(parseScenario(text)).toMatchObject({ ok: true });
  });

  test('parse actions from their text form', () => {
    expect(parseAction('unplug mid_line 3')).toEqual({
      ok: true,
      value: { do: 'unplug', mode: 'mid_line', afterLines: 3 },
    });
    expect(parseAction('host_timeout 2000')).toEqual({ ok: true, value: { do: 'host_timeout', ms: 2_000 } });
    expect(parseAction('unplug')).toMatchObject({ ok: true, value: { mode: 'clean' } });
    expect(parseAction('constructor')).toMatchObject({ ok: false, refusal: { kind: 'unknown_action' } });
  });

  test('repeat the same noise with the same seed', () => {
    expect(seededRandom(5).bytes(32)).toEqual(seededRandom(5).bytes(32));
    expect(seededRandom(5).bytes(32)).not.toEqual(seededRandom(6).bytes(32));
  });
});
