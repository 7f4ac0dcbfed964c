import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyOfNumeric, numericCurrency } from './currencies.ts';
import { fromWireTransactionId, parseEvent, parseRequest, toWireTransactionId } from './messages.ts';
import { holdsPan, passesLuhn } from './pan.ts';

describe('card numbers', () => {
  test.each(['4111111111111111', '374245455400001', '4929421234600821', '5573471234567898', '6304000000000000000'])(
    '%s is found at any position',
    pan => {
      expect(passesLuhn(pan)).toBe(true);
      expect(holdsPan(pan)).toBe(true);
      expect(holdsPan(`R 0001 PAY note=${pan}*00000000`)).toBe(true);
      expect(holdsPan(`${pan.slice(0, 6)}%3${pan[6]}${pan.slice(7)}`)).toBe(true);
      expect(holdsPan(`0000${pan}00`)).toBe(true);
      expect(holdsPan(`\x07\xff${pan}`)).toBe(true);
    },
  );

  test.each(['****1111', '411111111111', '1000000000001', '0000000000000000', '4111 1111', ''])(
    '%s is not one',
    text => {
      expect(holdsPan(text)).toBe(false);
    },
  );

  test('any padded number with a valid check digit is found', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9][0-9]{11,17}$/), fc.string(), fc.string(), (digits, before, after) => {
        const check = Array.from('0123456789').find(digit => passesLuhn(digits + digit));
        expect(holdsPan(`${before}${digits}${check}${after}`)).toBe(true);
      }),
    );
  });
});

describe('transaction ids on the wire', () => {
  test('no encoded id looks like a card number, and every one decodes to the original', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), id => {
        const wireId = toWireTransactionId(id) ?? '';
        expect(wireId).not.toMatch(/\d{13}/);
        expect(fromWireTransactionId(wireId)).toBe(id);
      }),
    );
    expect(toWireTransactionId('sale_4111111111111111')).toBe('sale_41111111.11111111');
  });

  test('an id that cannot be encoded is refused', () => {
    for (const id of ['', 'a b', 'a.b', 'ü', 'x'.repeat(65)]) expect(toWireTransactionId(id)).toBeUndefined();
  });
});

describe('messages', () => {
  const pay = { txn: 'sale_1', amt: '1250', cur: '826', exp: '2', tmo: '60' };
  test('a PAY is parsed into numbers, and unknown keys are ignored', () => {
    expect(parseRequest({ kind: 'Q', sequence: 1, verb: 'PAY', fields: { ...pay, colour: 'red' } })).toEqual({
      ok: true,
      value: { verb: 'PAY', txn: 'sale_1', amt: 1250, cur: '826', exp: 2, tmo: 60 },
    });
  });

  test.each([
    ['amt', '-5'],
    ['amt', '12.50'],
    ['amt', '1e3'],
    ['amt', ''],
    ['amt', '1234567890123'],
    ['cur', 'GBP'],
    ['exp', '5'],
    ['txn', 'a b'],
  ])('a PAY with %s=%s is refused by its key', (key, value) => {
    expect(parseRequest({ kind: 'Q', sequence: 1, verb: 'PAY', fields: { ...pay, [key]: value } })).toEqual({
      ok: false,
      refusal: { kind: 'bad_fields', key },
    });
  });

  test('an unknown verb is a value, inherited names included', () => {
    for (const verb of ['DANCE', 'CONSTRUCTOR'])
      expect(parseEvent({ kind: 'E', sequence: 1, verb, fields: {} })).toMatchObject({
        refusal: { kind: 'unknown_verb', verb },
      });
  });

  test('an unmasked card number is refused', () => {
    const fields = { txn: 't', ksn: 'AB', block: 'QQ==', part: '1/1', entry: 'chip', brand: 'visa', pan: '4111111111' };
    expect(parseEvent({ kind: 'E', sequence: 1, verb: 'ONLINE', fields })).toMatchObject({
      refusal: { kind: 'bad_fields', key: 'pan' },
    });
  });

  test('currencies are ISO 4217 numbers', () => {
    expect(['GBP', 'EUR', 'JPY', 'KWD', 'ZZZ'].map(numericCurrency)).toEqual(['826', '978', '392', '414', undefined]);
    expect(currencyOfNumeric('978')).toBe('EUR');
    expect(currencyOfNumeric('532')).toBe('XCG');
  });
});
