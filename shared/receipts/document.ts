import type { CardScheme } from '../card-schemes.ts';

/** The first line of the signed text. Changing what is signed invalidates older documents, so it has a version. */
export const receiptFormat = 'florin-receipt-v1';

/** Money of a sale that was returned, or that the bank did not pay out after all. */
export type ReceiptReturn = {
  readonly kind: 'void' | 'refund' | 'rejected';
  readonly at: string;
  readonly amountMinor: number;
  readonly amountSats: number | null;
  /** Its own receipt; null if it has none. */
  readonly url: string | null;
};

/** What a receipt says. Amounts are in the smallest unit of the currency, times ISO 8601. */
export type ReceiptFacts = {
  readonly id: string;
  readonly url: string;
  readonly kind: 'sale' | 'void' | 'refund';
  readonly business: {
    readonly id: string;
    readonly name: string;
    readonly addressLines: readonly string[];
    readonly countryCode: string;
  };
  readonly at: string;
  /** The business's, in which people read the times. */
  readonly timeZone: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly amountSats: number | null;
  /** How much of the amount is a tip, if that is known. */
  readonly tipMinor: number | null;
  readonly description: string | null;
  readonly reference: string | null;
  readonly paidWith: {
    readonly method: 'card' | 'apple_pay' | 'google_pay' | 'lightning' | 'onchain';
    readonly cardScheme: CardScheme | null;
    readonly cardLastFour: string | null;
    readonly entryMode: string | null;
    /** The card's application (AID), where the reader told it; missing in older documents. */
    readonly applicationId?: string | null;
    readonly authorisationCode: string | null;
    /** Of bitcoin: the transaction; over Lightning the payment hash. */
    readonly transactionId: string | null;
  };
  readonly paymentId: string;
  readonly invoiceNumber: string;
  /** For a void or refund: the sale whose money it returned. */
  readonly sale: {
    readonly url: string;
    readonly at: string;
    readonly amountMinor: number;
    readonly amountSats: number | null;
  } | null;
  /** For a sale: what was returned of it until the document was issued, oldest first. */
  readonly returns: readonly ReceiptReturn[];
  /** What is left of the sale. */
  readonly remainingMinor: number;
  readonly remainingSats: number | null;
};

/** A receipt as it was when it was issued, signed by the business. */
export type SignedReceipt = ReceiptFacts & {
  readonly format: typeof receiptFormat;
  readonly issuedAt: string;
  readonly keyId: string;
  /** Ed25519 over `receiptText`, base64. */
  readonly signature: string;
};

/** The published keys of a business. */
export type PublishedKeys = {
  readonly businessId: string;
  readonly name: string;
  readonly keys: readonly {
    readonly id: string;
    readonly publicKey: string;
    readonly createdAt: string;
    readonly retiredAt: string | null;
  }[];
};

/** The text that is signed: the format, and everything but the signature as canonical JSON. */
export function receiptText(document: Readonly<Record<string, unknown>>): string {
  const { signature: _, ...signed } = document;
  return `${receiptFormat}\n${canonicalJson(signed)}`;
}

/** JSON without spaces, its names in order (RFC 8785 for texts, whole numbers, lists and objects). */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}

/**
 * The document in a text, as its signature covers it; undefined if readers could disagree on what it says, such as by two
 * values under one name or a number that no receipt has.
 * @throws SyntaxError for a text that is not JSON
 */
export function documentIn(text: string): unknown {
  const document = JSON.parse(text) as unknown;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[^"\s]+/g) ?? [];
  const plain = tokens.map(token => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token)).join('');
  return plain === JSON.stringify(document) ? document : undefined;
}
