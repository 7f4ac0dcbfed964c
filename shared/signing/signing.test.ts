import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalAuthorisation,
  canonicalEnrolment,
  canonicalOutboxEntry,
  type OperationAuthorisation,
  type PasswordAuthorisation,
} from './canonical.ts';
import { keyPairOf, signText, verifyText } from './ed25519.ts';

const request: OperationAuthorisation = {
  purpose: 'refund',
  businessId: 'biz_1',
  deviceId: 'dev_1',
  staffId: 'staff_1',
  paymentId: 'pay_1',
  kind: 'REFUND_SALE',
  amount: 500,
  currency: 'GBP',
  nonce: 'non_1',
  issuedAt: '2026-11-21T09:30:00.000Z',
};

describe('Ed25519', () => {
  // RFC 8032, section 7.1, test 1: the empty message.
  test('reproduces the published vector', () => {
    const pair = keyPairOf(Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'));
    expect(Buffer.from(pair.publicKey, 'base64').subarray(12).toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    expect(Buffer.from(signText(pair.privateKey, ''), 'base64').toString('hex')).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });

  test('verifies only its own signature', () => {
    const pair = keyPairOf(new Uint8Array(32).fill(1));
    const other = keyPairOf(new Uint8Array(32).fill(2));
    const signature = signText(pair.privateKey, 'refund 500');
    expect(verifyText(pair.publicKey, 'refund 500', signature)).toBe(true);
    expect(verifyText(pair.publicKey, 'refund 501', signature)).toBe(false);
    expect(verifyText(other.publicKey, 'refund 500', signature)).toBe(false);
  });

  test.each(['', 'not base64', 'AAAA', 'x'.repeat(10_000)])('a malformed key or signature (%s) is invalid', text => {
    const pair = keyPairOf(new Uint8Array(32).fill(1));
    expect(verifyText(pair.publicKey, 'text', text)).toBe(false);
    expect(verifyText(text, 'text', signText(pair.privateKey, 'text'))).toBe(false);
  });
});

describe('the canonical request', () => {
  test('does not change, because both sides sign it', () => {
    expect(canonicalAuthorisation(request)).toBe(
      [
        'florin-staff-authorisation-v1',
        'purpose="refund"',
        'businessId="biz_1"',
        'deviceId="dev_1"',
        'staffId="staff_1"',
        'paymentId="pay_1"',
        'kind="REFUND_SALE"',
        'amount=500',
        'currency="GBP"',
        'nonce="non_1"',
        'issuedAt="2026-11-21T09:30:00.000Z"',
      ].join('\n'),
    );
  });

  test('of a password change covers the salt and every cost of the new key', () => {
    const { paymentId: _paymentId, kind: _kind, amount: _amount, currency: _currency, ...parties } = request;
    const newArgon2 = { memoryKibibytes: 19_456, passes: 2, parallelism: 1 };
    const change: PasswordAuthorisation = {
      ...parties,
      purpose: 'password',
      newPublicKey: 'key',
      newSalt: 'salt',
      newArgon2,
    };
    const variants: PasswordAuthorisation[] = [
      change,
      { ...change, newPublicKey: 'other' },
      { ...change, newSalt: 'other' },
      { ...change, newArgon2: { ...newArgon2, memoryKibibytes: 65_536 } },
      { ...change, newArgon2: { ...newArgon2, passes: 8 } },
      { ...change, newArgon2: { ...newArgon2, parallelism: 4 } },
    ];
    expect(new Set(variants.map(canonicalAuthorisation)).size).toBe(variants.length);
  });

  test('differs if any field differs, whatever the values', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, text, (staffId, paymentId, otherStaffId, otherPaymentId) => {
        const same = staffId === otherStaffId && paymentId === otherPaymentId;
        const one = canonicalAuthorisation({ ...request, staffId, paymentId });
        const other = canonicalAuthorisation({ ...request, staffId: otherStaffId, paymentId: otherPaymentId });
        expect(one === other).toBe(same);
      }),
    );
  });
});

describe('the worked example of README.md', () => {
  const page = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  const [terminal, staff, next] = [1, 2, 3].map(byte => keyPairOf(new Uint8Array(32).fill(byte)));
  const issuedAt = '2026-11-21T09:30:00.000Z';
  const parties = {
    businessId: 'biz_000001',
    deviceId: 'dev_000001',
    staffId: 'staff_000001',
    nonce: 'non_000001',
    issuedAt,
  };
  const operation = { ...parties, paymentId: 'pay_000001', currency: 'GBP' };
  const head = { terminalId: 'dev_000001', staffId: 'staff_000001', paymentId: 'pay_000001' };
  const check = {
    kind: 'staff_check',
    operation: 'REFUND_SALE',
    amountInCents: 500,
    status: 'failed',
    reason: 'invalid_signature',
    detail: null,
    attemptedAt: issuedAt,
  } as const;

  test.each([
    [
      'Enrolment',
      terminal,
      canonicalEnrolment({ code: 'ABCD-EFGH', serial: 'SN-1', publicKey: terminal?.publicKey ?? '' }),
    ],
    ['Refund', staff, canonicalAuthorisation({ ...operation, purpose: 'refund', kind: 'REFUND_SALE', amount: 500 })],
    ['Void', staff, canonicalAuthorisation({ ...operation, purpose: 'void', kind: 'CANCEL', amount: null })],
    [
      'Password change',
      staff,
      canonicalAuthorisation({
        ...parties,
        purpose: 'password',
        newPublicKey: next?.publicKey ?? '',
        newSalt: 'AAECAwQFBgcICQoLDA0ODw==',
        newArgon2: { memoryKibibytes: 19_456, passes: 2, parallelism: 1 },
      }),
    ],
    [
      'Outbox entry: a staff check made offline',
      terminal,
      canonicalOutboxEntry({ ...head, ...check, sequence: 1, entryId: 'out_000001' }),
    ],
    [
      'Outbox entry: a staff check of a second person, made offline',
      terminal,
      canonicalOutboxEntry({
        ...head,
        ...check,
        sequence: 2,
        entryId: 'out_000002',
        requestedBy: 'staff_000002',
      }),
    ],
    [
      'Outbox entry: a tamper report',
      terminal,
      canonicalOutboxEntry({
        terminalId: 'dev_000001',
        kind: 'tamper_report',
        sequence: 2,
        entryId: 'out_000002',
        found: 'clock_moved',
        description: 'The clock went back by 2 hours',
        detectedAt: '2026-11-21T09:31:00.000Z',
      }),
    ],
  ])('is correct: %s', (title, key, text) => {
    if (!key) throw new Error('no key');
    const section = page.split('\n### ').find(part => part.startsWith(`${title}\n`));
    expect(section).toContain(`\`\`\`text\n${text}\n\`\`\``);
    expect(section).toContain(`Signature: \`${signText(key.privateKey, text)}\``);
    expect(page).toContain(`\`${key.publicKey}\``);
  });
});
