import { type PublishedKeys, type ReceiptReturn, receiptFormat, receiptText, type SignedReceipt } from './document.ts';

/** What a check of a signed receipt found. */
export type ReceiptVerdict =
  /** The business signed it, and its receipt says the same of the money now. */
  | { readonly kind: 'valid'; readonly document: SignedReceipt; readonly signer: string }
  /** The business signed it; whether its receipt has changed since was not asked, or not answered. */
  | { readonly kind: 'valid_then'; readonly document: SignedReceipt; readonly signer: string }
  /** The business signed it, and its receipt says something else of the money now. */
  | {
      readonly kind: 'superseded';
      readonly document: SignedReceipt;
      readonly current: SignedReceipt;
      readonly signer: string;
    }
  /** The keys are those that it leads to itself: whoever forges a receipt can publish some in any name. */
  | { readonly kind: 'issuer_not_confirmed'; readonly document: SignedReceipt; readonly signer: string }
  | { readonly kind: 'not_a_receipt' }
  | { readonly kind: 'not_keys' }
  /** The service that was asked for the keys has no such business. */
  | { readonly kind: 'no_such_business'; readonly businessId: string }
  /** The keys are those of another business. */
  | { readonly kind: 'other_business'; readonly businessId: string; readonly signer: string }
  | { readonly kind: 'unknown_key'; readonly keyId: string; readonly signer: string }
  /** Signed before the key existed, or after another had replaced it. */
  | { readonly kind: 'key_not_in_use'; readonly keyId: string; readonly issuedAt: string }
  | { readonly kind: 'altered' }
  | { readonly kind: 'from_the_future'; readonly issuedAt: string };

/** The clocks of the servers that create keys and sign may differ. */
const toleranceMs = 5 * 60_000;

/** Ed25519; the key is SPKI and, like the signature, base64. */
type Verify = (publicKey: string, text: string, signature: string) => boolean | Promise<boolean>;

type Check = {
  readonly document: unknown;
  /** Null if the service has no such business. */
  readonly keys: unknown;
  readonly now: number;
  readonly verify: Verify;
};

/**
 * Checks a document: that it was signed, by a business that is known, and that its receipt has not changed since. An
 * older document stays signed after a refund, so only the receipt as it is now tells whether it still holds.
 */
export async function checkReceipt(
  options: Check & {
    /** Whether the keys are from where those of the business are known to be, and not from an address in the document. */
    readonly isIssuerKnown: boolean;
    /** The document of the same receipt as it is now; called only for one that its business signed. */
    readonly readCurrent?: (() => Promise<unknown>) | undefined;
  },
): Promise<ReceiptVerdict> {
  const signed = await checkSignature(options);
  if (signed.kind !== 'signed') return signed;
  const { document, signer } = signed;
  if (!options.isIssuerKnown) return { kind: 'issuer_not_confirmed', document, signer };
  const now = await checkSignature({ ...options, document: await options.readCurrent?.() });
  const isCurrent =
    now.kind === 'signed' &&
    now.document.id === document.id &&
    // Signed for this question: a stored answer may be from before a void.
    Date.parse(now.document.issuedAt) >= Math.max(Date.parse(document.issuedAt), options.now) - toleranceMs;
  if (!isCurrent) return { kind: 'valid_then', document, signer };
  const current = now.document;
  const isSame = moneyIn(current) === moneyIn(document);
  return isSame ? { kind: 'valid', document, signer } : { kind: 'superseded', document, current, signer };
}

type Signed = { readonly kind: 'signed'; readonly document: SignedReceipt; readonly signer: string };

async function checkSignature({ document, keys, now, verify }: Check): Promise<Signed | ReceiptVerdict> {
  if (!isReceipt(document)) return { kind: 'not_a_receipt' };
  const { issuedAt, keyId, business } = document;
  if (keys === null) return { kind: 'no_such_business', businessId: business.id };
  if (!areKeys(keys)) return { kind: 'not_keys' };
  const { name: signer } = keys;
  if (business.id !== keys.businessId) return { kind: 'other_business', businessId: business.id, signer };
  const key = keys.keys.find(({ id }) => id === keyId);
  if (!key) return { kind: 'unknown_key', keyId, signer };
  const isSigned = await verify(key.publicKey, receiptText(document), document.signature);
  if (!isSigned) return { kind: 'altered' };
  const at = Date.parse(issuedAt);
  const end = key.retiredAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.retiredAt);
  const isInUse = at >= Date.parse(key.createdAt) - toleranceMs && at <= end + toleranceMs;
  if (!isInUse) return { kind: 'key_not_in_use', keyId, issuedAt };
  if (at > now + toleranceMs) return { kind: 'from_the_future', issuedAt };
  return { kind: 'signed', document, signer };
}

/** What a receipt says of its money: a business that has moved, or a service at a new address, supersedes none. */
function moneyIn({ amountMinor, amountSats, tipMinor, returns, remainingMinor, remainingSats }: SignedReceipt): string {
  return JSON.stringify([
    [amountMinor, amountSats, tipMinor, remainingMinor, remainingSats],
    returns.map(returnedMoney),
  ]);
}

const returnedMoney = ({ kind, at, amountMinor, amountSats }: ReceiptReturn) => [kind, at, amountMinor, amountSats];

/** What was returned of a sale between two of its documents. */
export function returnsSince(document: SignedReceipt, current: SignedReceipt): readonly ReceiptReturn[] {
  const known = new Set(document.returns.map(each => JSON.stringify(returnedMoney(each))));
  return current.returns.filter(each => !known.has(JSON.stringify(returnedMoney(each))));
}

/**
 * Where a service has the keys of a document's business, and the receipt as it is now; undefined if it is no document.
 * Without the address of a service, it is the one that the document names.
 */
export function addressesFor(
  document: unknown,
  service?: string,
): { readonly keys: string; readonly current: string } | undefined {
  if (!isReceipt(document)) return undefined;
  const base = service ?? new URL(document.url).origin;
  const keys = `/.well-known/florin-receipts/${encodeURIComponent(document.business.id)}.json`;
  return { keys: new URL(keys, base).href, current: new URL(`${pathOf(document.url)}/receipt.json`, base).href };
}

/** The part of a receipt's address that is the same wherever the service is. */
function pathOf(url: string): string | undefined {
  return URL.canParse(url) ? /\/r\/[0-9A-Za-z]+$/.exec(new URL(url).pathname)?.[0] : undefined;
}

/** Only what is needed to check the signature, which covers the rest. */
function isReceipt(value: unknown): value is SignedReceipt & Readonly<Record<string, unknown>> {
  if (!isRecord(value) || value.format !== receiptFormat || !isRecord(value.business)) return false;
  const { issuedAt, keyId, signature, url } = value;
  return [issuedAt, keyId, signature, value.business.id].every(isText) && isText(url) && pathOf(url) !== undefined;
}

function areKeys(value: unknown): value is PublishedKeys {
  if (!isRecord(value) || !isText(value.businessId) || !isText(value.name) || !Array.isArray(value.keys)) return false;
  return value.keys.every(
    key =>
      isRecord(key) &&
      [key.id, key.publicKey, key.createdAt].every(isText) &&
      (key.retiredAt === null || isText(key.retiredAt)),
  );
}

/** Text that an address can contain. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
