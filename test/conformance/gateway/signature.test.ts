import { readFileSync } from 'node:fs';
import { verifyReply } from '@florin/backend/gateways/cardstream/reply.ts';
import {
  checkSignature,
  parseBody,
  signatureOf,
  signedBody,
  type WireField,
  wireField,
} from '@florin/backend/gateways/cardstream/signature.ts';
import { isSignedWith, parseFields, sign } from '@florin/backend/programs/sandbox/card-gateway/wire.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const secret = 'Circle4Take40Idea';

/** The gateway's published vector, and two made with its official SDKs for the cases that it does not cover. */
const vectors = [
  {
    name: 'the published example',
    secret: 'DontTellAnyone',
    fields: {
      merchantID: '100001',
      action: 'SALE',
      type: '1',
      currencyCode: '826',
      countryCode: '826',
      amount: '2691',
      transactionUnique: '55f025addd3c2',
      orderRef: 'Signature Test',
      cardNumber: '4929 4212 3460 0821',
      cardExpiryDate: '1213',
    },
    signature:
      'da0acd2c404945365d0e7ae74ad32d57c561e9b942f6bdb7e3dda49a08fcddf74fe6af6b23b8481b8dc8895c12fc21c72c69d60f137fdf574720363e33d94097',
  },
  {
    name: 'line breaks of every kind, marks and a pound sign',
    secret,
    fields: {
      merchantID: '100001',
      action: 'REFUND_SALE',
      xref: '19120312NG55CM51QH35JRL',
      amount: '250',
      orderRef: 'Ref (A*B) ~ 50% & £3',
      customerAddress: '16 Test Street\r\nLine 2\n\rLine 3\rLine 4\nLine 5',
    },
    signature:
      '71169677b9907b8c2fa79b1d206d23a2b30e4352ce090de57cbd6f6aa977e32bffcb8d8a7d8e1a8360bd4bac04c353f6d9494a213be244661d68235fb7949007',
  },
  {
    name: 'nested fields and names that differ in case',
    secret,
    fields: {
      merchantID: '100001',
      aZ: '2',
      'threeDSResponse[threeDSMethodData]': 'eyJ0.x_y-z',
      'threeDSResponse[cres]': 'ab+c/d=',
      action: 'SALE',
      threeDSRef: 'UDNLRVk6==',
      aa: '1',
      a1: '0',
      Zed: 'caps first',
    },
    signature:
      'ecd3a0011d4924faeae82a39d28f1ffeb8218efc20add3cd6125f47b0f207014103bc679cbc81ad7bd294b77864f654e51bc0fa98daa248bbddf75b626a8fd9e',
  },
];

const genuine = JSON.parse(readFileSync(new URL('./genuine-replies.json', import.meta.url), 'utf8')) as {
  secret: string;
  replies: { fields: Record<string, string>; signature: string }[];
};

const fieldsOf = (record: Record<string, string>): WireField[] =>
  Object.entries(record).map(([name, value]) => wireField(name, value));

describe.each([
  ['adapter', (fields: Record<string, string>, key: string) => signatureOf(fieldsOf(fields), key)],
  ['sandbox', (fields: Record<string, string>, key: string) => sign(new Map(Object.entries(fields)), key)],
])('signature of the %s', (_, signatureOfRecord) => {
  test.each(vectors)('matches the golden signature of $name', vector => {
    expect(signatureOfRecord(vector.fields, vector.secret)).toBe(vector.signature);
  });

  test('matches the signatures of the real gateway’s replies', () => {
    expect(genuine.replies).toHaveLength(7);
    for (const reply of genuine.replies) expect(signatureOfRecord(reply.fields, genuine.secret)).toBe(reply.signature);
  });
});

describe('genuine replies', () => {
  test.each(genuine.replies)('are read and verified: $fields.action $fields.responseCode', reply => {
    const body = new URLSearchParams({ ...reply.fields, signature: reply.signature }).toString();
    const verified = verifyReply(Buffer.from(body), genuine.secret);
    expect(verified.ok && verified.value.get('xref')).toBe(reply.fields.xref);
    expect(verifyReply(Buffer.from(body.replace('action=', 'action=X')), genuine.secret)).toMatchObject({
      refusal: { kind: 'unknown', cause: 'bad_signature' },
    });
  });
});

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}(\[[A-Za-z0-9]{1,6}\])?$/);
const value = fc.string({ unit: 'grapheme', maxLength: 40 });
const record = fc.uniqueArray(fc.tuple(name, value), {
  selector: ([key]) => key.split('[')[0],
  maxLength: 20,
  minLength: 1,
});

describe('properties', () => {
  test('the order of fields does not change the signature', () => {
    fc.assert(
      fc.property(record, fc.infiniteStream(fc.nat()), (pairs, ranks) => {
        const fields = pairs.map(([key, text]) => wireField(key, text));
        const shuffled = fields
          .map(field => ({ field, rank: ranks.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ field }) => field);
        expect(signatureOf(shuffled, secret)).toBe(signatureOf(fields, secret));
      }),
    );
  });

  test('adapter and sandbox, written independently, compute the same signature for random fields', () => {
    fc.assert(
      fc.property(record, pairs => {
        const body = signedBody(
          pairs.map(([key, text]) => wireField(key, text)),
          secret,
        );
        const read = parseFields(body);
        expect(read !== undefined && isSignedWith(read, secret)).toBe(true);
        const again = parseBody(Buffer.from(body));
        expect(again && checkSignature(again, secret)).toBe('valid');
      }),
    );
  });

  test('all kinds of line breaks have the same signature', () => {
    const breaks = fc.constantFrom('\r\n', '\n\r', '\r', '\n');
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 2, maxLength: 6 }),
        breaks,
        (lines, mark) => {
          const broken = signatureOf([wireField('customerAddress', lines.join(mark))], secret);
          expect(broken).toBe(signatureOf([wireField('customerAddress', lines.join('\n'))], secret));
        },
      ),
    );
  });

  test('one changed character anywhere is detected', () => {
    fc.assert(
      fc.property(record, fc.nat(), (pairs, place) => {
        const body = signedBody(
          pairs.map(([key, text]) => wireField(key, text)),
          secret,
        );
        const at = place % body.length;
        const swapped = body.slice(0, at) + (body[at] === 'a' ? 'b' : 'a') + body.slice(at + 1);
        const read = parseBody(Buffer.from(swapped));
        // %2f and %2F are the same byte: only a body with another meaning must fail.
        const same = read && parseBody(Buffer.from(body))?.every((field, i) => field.canonical === read[i]?.canonical);
        if (read && !same) expect(checkSignature(read, secret)).not.toBe('valid');
      }),
      { numRuns: 300 },
    );
  });
});

describe('what is refused', () => {
  const fields = [wireField('responseCode', 0), wireField('xref', 'x')];

  test('an unsigned reply', () => {
    expect(checkSignature(fields, secret)).toBe('missing');
    expect(checkSignature([...fields, wireField('signature', '')], secret)).toBe('missing');
  });

  test('a reply that is signed in part, even if that part is correct', () => {
    const part = signatureOf([wireField('responseCode', 0)], secret);
    expect(checkSignature([...fields, wireField('signature', `${part}|responseCode`)], secret)).toBe('partial');
  });

  test.each(['', 'a', '=b', 'a=1&a=2', 'a=%zz', 'a=1&&b=2', '<html></html>'])('the body %j', body => {
    expect(parseBody(Buffer.from(body))).toBeUndefined();
  });

  test('bytes that are not UTF-8 are signed unchanged', () => {
    const raw = Buffer.from('cardIssuer=Cr%E9dit&responseCode=0', 'latin1');
    const read = parseBody(raw) ?? [];
    expect(read.map(field => field.canonical)).toEqual(['cardIssuer=Cr%E9dit', 'responseCode=0']);
  });
});
