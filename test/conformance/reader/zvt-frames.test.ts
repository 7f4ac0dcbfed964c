import { decodeApdu } from '@florin/device/readers/zvt/apdu.ts';
import { payment } from '@florin/device/readers/zvt/commands.ts';
import { ack, BlockReader, encodeBlock, nak } from '@florin/device/readers/zvt/frame.ts';
import { readMessage, readRegistration } from '@florin/device/readers/zvt/messages.ts';
import { seededRandom } from '@florin/hardware-sim/platform/real.ts';
import { bmpsOf, parts, tlvValue, Unwrapper, wrap } from '@florin/hardware-sim/readers/zvt/wire.ts';
import { describe, expect, test } from 'vitest';
import { blocks, commands, messages } from './zvt-frames.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const hex = (buffer: Uint8Array) => Buffer.from(buffer).toString('hex').toUpperCase();
const neverSilent = { after: () => () => undefined };

/** What the driver makes of these bytes. */
function driverReads(stream: Uint8Array, pieces = stream.length): string[] {
  const seen: string[] = [];
  const reader = new BlockReader({
    timers: neverSilent,
    onBlock: apdu => seen.push(hex(apdu)),
    onAcknowledged: byte => seen.push(byte === ack ? 'ack' : 'nak'),
    onDamaged: () => seen.push('damaged'),
    onNoise: () => undefined,
  });
  for (let at = 0; at < stream.length; at += pieces) reader.receive(stream.subarray(at, at + pieces));
  return seen;
}

/** What the simulated reader makes of them. */
function readerReads(stream: Uint8Array): string[] {
  const said = { ack: 'ack', nak: 'nak', bad: 'damaged' } as const;
  return new Unwrapper().feed(stream).map(one => (one.kind === 'apdu' ? hex(one.apdu) : said[one.kind]));
}

describe.each(Object.entries(blocks))('the public block %s', (_, { block, apdu }) => {
  test('is what both ends send', () => {
    expect([hex(encodeBlock(bytes(apdu))), hex(wrap(bytes(apdu)))]).toEqual([block, block]);
  });

  test('is read by both ends, whole and byte by byte, between acknowledgements', () => {
    const stream = Buffer.concat([Buffer.from([ack]), bytes(block), Buffer.from([nak])]);
    expect(driverReads(stream)).toEqual(['ack', apdu, 'nak']);
    expect(driverReads(stream, 1)).toEqual(['ack', apdu, 'nak']);
    expect(readerReads(stream)).toEqual(['ack', apdu, 'nak']);
  });

  test('is not read with any one bit changed', () => {
    for (let bit = 0; bit < block.length * 4; bit++) {
      const changed = bytes(block);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(driverReads(changed), hex(changed)).not.toContain(apdu);
      expect(readerReads(changed), hex(changed)).not.toContain(apdu);
    }
  });
});

const message = (apdu: string) => {
  const decoded = decodeApdu(bytes(apdu));
  return decoded && readMessage(decoded);
};

describe('public messages of readers', () => {
  test('an approval', () => {
    expect(message(messages.approved)).toEqual({
      kind: 'status',
      holdsCardNumber: false,
      facts: {
        result: 0,
        amountMinor: 2500,
        currency: 'EUR',
        trace: '000975',
        receipt: '0231',
        terminalId: '52523535',
        authorisationCode: '750071',
        lastFour: '8074',
        cardType: 6,
        cardName: 'MasterCard',
      },
    });
  });

  test('a decline and an abort', () => {
    expect(message(messages.declined)).toMatchObject({
      facts: { result: 5, terminalId: '29000274', text: 'Abgelehnt', cardType: 6 },
    });
    expect(message(messages['status: aborted'])).toMatchObject({ facts: { result: 0x6c, terminalId: '29001006' } });
    expect(message(messages.aborted)).toEqual({ kind: 'abort', code: 0x6c });
    expect(message(messages['no open pre-authorisation'])).toEqual({ kind: 'abort', code: 0xb8 });
  });

  test('progress, with and without a text', () => {
    expect(message(messages.wait)).toEqual({ kind: 'progress', code: 0x17, minutes: undefined, texts: [] });
    expect(message(messages['insert card'])).toEqual({
      kind: 'progress',
      code: 0x0a,
      minutes: 1,
      texts: ['Bitte Karte einstecken'],
    });
  });

  test('a printed line, and the completion of a registration', () => {
    expect(message(blocks['a printed line']?.apdu ?? '')).toEqual({
      kind: 'print',
      lines: ['Gesamt      0       0,00'],
      copy: undefined,
      isLast: false,
    });
    expect(message(messages['approved, done'])).toEqual({ kind: 'completion', data: Buffer.alloc(0) });
    const registered = message(messages.registered);
    expect(registered?.kind === 'completion' && readRegistration(registered.data)).toEqual({
      terminalId: '52523535',
      needs: 0x10,
    });
  });
});

test('public commands of tills are read by the simulated reader', () => {
  const payment = parts(bytes(commands['payment of 10.00']));
  expect(payment && [payment.code, hex(bmpsOf(payment.body)?.get('04') ?? Buffer.alloc(0))]).toEqual([
    '0601',
    '000000001000',
  ]);
  const registered = parts(bytes(commands['registration with sequence numbers']));
  const container = registered && bmpsOf(registered.body.subarray(6))?.get('06');
  expect([tlvValue(container, '26'), tlvValue(container, '1f73')].map(value => hex(value ?? Buffer.alloc(0)))).toEqual([
    '0A0206D3',
    '000000',
  ]);
  for (const command of Object.values(commands))
    expect(parts(bytes(command))?.code).toBe(command.slice(0, 4).toLowerCase());
});

test('a payment names amount, currency and the last receipt', () => {
  const { control, data } = payment({ amountMinor: 11_000, currency: 'EUR' }, '0231');
  expect([control, hex(data)]).toEqual([0x0601, '0400000001100049097806051F1F020231']);
});

/** Bytes of each seed; `FUZZ_BYTES` takes more. */
const fuzzBytes = Number(process.env.FUZZ_BYTES ?? 200_000);

describe('random bytes', () => {
  const examples = [...Object.values(messages), ...Object.values(blocks).map(({ apdu }) => apdu)].map(bytes);

  test('make neither end fail, and no block out of noise', () => {
    const random = seededRandom(11);
    for (let sent = 0; sent < fuzzBytes; sent += 4096) {
      const noise = random.bytes(4096);
      const whole = (seen: readonly string[]) => seen.filter(one => !['ack', 'nak', 'damaged'].includes(one));
      expect(whole(driverReads(noise, 1 + (sent % 97)))).toEqual([]);
      expect(whole(readerReads(noise))).toEqual([]);
    }
  });

  test('in place of parts of messages make no message fail', () => {
    const random = seededRandom(12);
    let read = 0;
    for (let sent = 0; sent < fuzzBytes; ) {
      const [which = 0, at = 0, count = 0, cut = 0] = random.bytes(4);
      const example = Buffer.from(examples[which % examples.length] ?? Buffer.alloc(3));
      random.bytes(1 + (count % 8)).forEach((byte, index) => {
        example[(3 + at + index) % example.length] = byte;
      });
      const body = example.subarray(3, cut < 64 ? Math.max(3, example.length - cut) : undefined);
      sent += body.length;
      const control = example.readUInt16BE(0);
      if (readMessage({ control, data: body }) !== undefined) read += 1;
      bmpsOf(body);
      tlvValue(body, '1f1f');
    }
    expect(read).toBeGreaterThan(100);
  });

  test('in damaged blocks are never read as another message', () => {
    const random = seededRandom(13);
    const approval = bytes(messages.approved);
    for (let sent = 0; sent < fuzzBytes; sent += approval.length) {
      const block = encodeBlock(approval);
      const [high = 0, low = 0, first = 0, second = 0] = random.bytes(4);
      const at = ((high << 8) | low) % (block.length - 1);
      // A burst of at most 16 bits, all of which the checksum detects.
      block[at] = (block[at] ?? 0) ^ first;
      block[at + 1] = (block[at + 1] ?? 0) ^ (first === 0 ? second | 1 : second);
      expect(
        driverReads(block).filter(one => one.startsWith('040F')),
        hex(block),
      ).toEqual([]);
    }
  });
});
