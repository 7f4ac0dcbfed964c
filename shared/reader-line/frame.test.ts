import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ok } from '../result.ts';
import { checksum, decodeFrame, encodeFrame, type Frame, frameKinds, maxLineBytes, nextSequence } from './frame.ts';

/** The published samples of the protocol, byte for byte. */
const samples: readonly [string, Frame][] = [
  [
    'Q 0001 HELLO proto=1-2 host=pos-7 nonce=5f2a*6BB731D7',
    { kind: 'Q', sequence: 1, verb: 'HELLO', fields: { proto: '1-2', host: 'pos-7', nonce: '5f2a' } },
  ],
  [
    'Q 0007 PAY txn=01J9Z amt=1250 cur=978 exp=2 tmo=60*2B803A6A',
    {
      kind: 'Q',
      sequence: 7,
      verb: 'PAY',
      fields: { txn: '01J9Z', amt: '1250', cur: '978', exp: '2', tmo: '60' },
    },
  ],
];

const frames: fc.Arbitrary<Frame> = fc.record({
  kind: fc.constantFrom(...frameKinds),
  sequence: fc.integer({ min: 1, max: 9999 }),
  verb: fc.stringMatching(/^[A-Z][A-Z0-9]{0,15}$/),
  fields: fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9]{0,15}$/), fc.string({ unit: 'binary', maxLength: 20 }), {
    maxKeys: 6,
    noNullPrototype: true,
  }),
});

describe('framing', () => {
  test('the checksum is CRC-32/ISO-HDLC', () => {
    expect(checksum('123456789')).toBe('CBF43926');
  });

  test.each(samples)('%s', (line, frame) => {
    expect(encodeFrame(frame)).toEqual(ok(line));
    expect(decodeFrame(line)).toEqual(ok(frame));
    expect(decodeFrame(`${line}\r`)).toEqual(ok(frame));
  });

  test('every encoded frame is printable, within the limit, and decodes to the same frame', () => {
    fc.assert(
      fc.property(frames, frame => {
        const encoded = encodeFrame(frame);
        if (!encoded.ok) return expect(encoded.refusal.kind).toBe('too_long');
        expect(encoded.value).toMatch(/^[\x20-\x7e]+$/);
        expect(encoded.value.length).toBeLessThan(maxLineBytes);
        expect(decodeFrame(encoded.value)).toEqual(ok(frame));
      }),
    );
  });

  test('a flipped bit is always detected', () => {
    fc.assert(
      fc.property(frames, fc.nat(), fc.nat({ max: 7 }), (frame, at, bit) => {
        const encoded = encodeFrame(frame);
        fc.pre(encoded.ok);
        if (!encoded.ok) return;
        const bytes = Buffer.from(encoded.value, 'latin1');
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        const damaged = bytes.toString('latin1');
        // Case does not matter in the checksum's hexadecimal digits.
        fc.pre(damaged.toUpperCase() !== encoded.value.toUpperCase());
        expect(decodeFrame(damaged).ok).toBe(false);
      }),
    );
  });

  test('no input throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), line => typeof decodeFrame(line).ok === 'boolean'));
  });

  const signed = (body: string) => `${body}*${checksum(body)}`;
  test.each([
    ['', 'empty'],
    ['\r', 'empty'],
    [signed(`Q 0001 PING x=${'a'.repeat(1024)}`), 'too_long'],
    [`${signed('Q 0001 PING')}\x07`, 'not_printable'],
    [signed('Q 0001 PING x=\xe9'), 'not_printable'],
    ['Q 0001 PING', 'no_checksum'],
    ['Q 0001 PING*1234', 'no_checksum'],
    ['Q 0001 PING*00000000', 'bad_checksum'],
    [signed('X 0001 PING'), 'bad_kind'],
    [signed('Q 1 PING'), 'bad_sequence'],
    [signed('Q 0000 PING'), 'bad_sequence'],
    [signed('Q 0001'), 'bad_verb'],
    [signed('Q 0001 ping'), 'bad_verb'],
    [signed('Q 0001 PING x'), 'bad_field'],
    [signed('Q 0001 PING  x=1'), 'bad_field'],
    [signed('Q 0001 PING =1'), 'bad_field'],
    [signed('Q 0001 PING x=1 x=2'), 'duplicate_field'],
    [signed('Q 0001 PING x=%4'), 'bad_escape'],
    [signed('Q 0001 PING x=%FF'), 'bad_escape'],
  ])('%s is refused as %s', (line, kind) => {
    expect(decodeFrame(line)).toEqual({ ok: false, refusal: { kind } });
  });

  test('a frame that cannot be encoded is refused', () => {
    const frame: Frame = { kind: 'Q', sequence: 1, verb: 'DISPLAY', fields: {} };
    expect(encodeFrame({ ...frame, sequence: 0 })).toMatchObject({ refusal: { kind: 'bad_sequence' } });
    expect(encodeFrame({ ...frame, sequence: 10_000 })).toMatchObject({ refusal: { kind: 'bad_sequence' } });
    expect(encodeFrame({ ...frame, verb: 'a b' })).toMatchObject({ refusal: { kind: 'bad_verb' } });
    expect(encodeFrame({ ...frame, fields: { 'a b': '1' } })).toMatchObject({ refusal: { kind: 'bad_key' } });
    expect(encodeFrame({ ...frame, fields: { text: 'ü'.repeat(200) } })).toMatchObject({
      refusal: { kind: 'too_long' },
    });
  });

  test('an asterisk in a value does not end the line', () => {
    const frame: Frame = { kind: 'R', sequence: 7, verb: 'PAY', fields: { pan: '****1234' } };
    const encoded = encodeFrame(frame);
    expect(encoded.ok && decodeFrame(encoded.value)).toEqual(ok(frame));
  });

  test('9999 is followed by 1', () => {
    expect([nextSequence(0), nextSequence(7), nextSequence(9999)]).toEqual([1, 8, 1]);
  });
});
