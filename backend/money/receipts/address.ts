import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { ReceiptReference } from '@florin/shared/contracts/receipts.ts';
import { base62 } from '../../foundation/secret.ts';
import type { PermanentKey } from '../../foundation/secrets/permanent-key.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { RefundRow } from '../refunds/rows.ts';

/** The addresses of receipts, which follow from what they are of: a record shows its own without a query. */
export type ReceiptAddresses = {
  tokenOf(subjectId: string): string;
  of(subjectId: string): NonNullable<ReceiptReference>;
  /** Null if the payment took no money. */
  ofPayment(payment: Pick<PaymentRow, 'id' | 'takenAt'>): ReceiptReference;
  /** Null if the refund returned no money. */
  ofRefund(refund: Pick<RefundRow, 'id' | 'status'>): ReceiptReference;
};

const tokenBytes = 16;
/** Enough base62 digits for 128 bits. */
const tokenLength = 22;
/** The records of one refund and its consumer ask for its token several times within moments. */
const maxKept = 1_000;

/** The token is the first 128 bits of HMAC-SHA256 over the subject's id, with a key derived for this purpose, in base62. */
export function receiptAddresses(options: {
  readonly permanentKey: PermanentKey;
  /** The public base URL, without a trailing slash. */
  readonly publicUrl: string;
}): ReceiptAddresses {
  let key: KeyObject | undefined;
  const kept = new Map<string, string>();
  function makeToken(subjectId: string): string {
    // As a key object: an HMAC with bytes takes four times as long.
    key ??= createSecretKey(Buffer.from(hkdfSync('sha256', options.permanentKey(), '', 'florin receipts', 32)));
    const mac = createHmac('sha256', key).update(subjectId).digest('hex');
    return base62(BigInt(`0x${mac.slice(0, tokenBytes * 2)}`), tokenLength);
  }
  function tokenOf(subjectId: string): string {
    const known = kept.get(subjectId);
    if (known !== undefined) return known;
    if (kept.size >= maxKept) kept.clear();
    const token = makeToken(subjectId);
    kept.set(subjectId, token);
    return token;
  }
  const of = (subjectId: string) => ({ url: `${options.publicUrl}/r/${tokenOf(subjectId)}` });
  return {
    tokenOf,
    of,
    ofPayment: ({ id, takenAt }) => (takenAt === null ? null : of(id)),
    ofRefund: ({ id, status }) => (status === 'approved' || status === 'recorded' ? of(id) : null),
  };
}
