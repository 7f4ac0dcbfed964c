import { type PublishedKeys, receiptFormat, receiptText, type SignedReceipt } from './document.ts';

/** What a check of a signed receipt found. */
export type ReceiptVerdict =
  | { readonly kind: 'valid'; readonly document: SignedReceipt; readonly signer: string }
  | { readonly kind: 'not_a_receipt' }
  | { readonly kind: 'not_keys' }
  /** The keys are those of another business. */
  | { readonly kind: 'other_business'; readonly businessId: string; readonly signer: string }
  | { readonly kind: 'unknown_key'; readonly keyId: string; readonly signer: string }
  /** Signed before the key existed, or after another had replaced it. */
  | { readonly kind: 'key_not_in_use'; readonly keyId: string; readonly issuedAt: string }
  | { readonly kind: 'altered' }
  | { readonly kind: 'from_the_future'; readonly issuedAt: string };

/** The clocks of the servers that create keys and sign may differ. */
const toleranceMs = 5 * 60_000;

/**
 * Checks a document against the keys that its business published. What it says was true when it was issued: an older
 * document of the same receipt stays valid and knows nothing of later refunds.
 */
export async function checkReceipt(options: {
  readonly document: unknown;
  readonly keys: unknown;
  readonly now: number;
  /** Ed25519; the key is SPKI and, like the signature, base64. */
  readonly verify: (publicKey: string, text: string, signature: string) => boolean | Promise<boolean>;
}): Promise<ReceiptVerdict> {
  const { document, keys, now } = options;
  if (!isReceipt(document)) return { kind: 'not_a_receipt' };
  if (!areKeys(keys)) return { kind: 'not_keys' };
  const { issuedAt, keyId, business } = document;
  const { name: signer } = keys;
  if (business.id !== keys.businessId) return { kind: 'other_business', businessId: business.id, signer };
  const key = keys.keys.find(({ id }) => id === keyId);
  if (!key) return { kind: 'unknown_key', keyId, signer };
  const isSigned = await options.verify(key.publicKey, receiptText(document), document.signature);
  if (!isSigned) return { kind: 'altered' };
  const at = Date.parse(issuedAt);
  const end = key.retiredAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.retiredAt);
  const isInUse = at >= Date.parse(key.createdAt) - toleranceMs && at <= end + toleranceMs;
  if (!isInUse) return { kind: 'key_not_in_use', keyId, issuedAt };
  if (at > now + toleranceMs) return { kind: 'from_the_future', issuedAt };
  return { kind: 'valid', document, signer };
}

/** The address of the keys of a document's business, at the service that issued it; undefined if it names none. */
export function keysAddressOf(document: unknown): string | undefined {
  if (!isReceipt(document)) return undefined;
  const path = `/.well-known/florin-receipts/${encodeURIComponent(document.business.id)}.json`;
  return URL.canParse(path, document.url) ? new URL(path, document.url).href : undefined;
}

/** Only what is needed to check the signature, which covers the rest. */
function isReceipt(value: unknown): value is SignedReceipt & Readonly<Record<string, unknown>> {
  if (!isRecord(value) || value.format !== receiptFormat || !isRecord(value.business)) return false;
  const { issuedAt, keyId, signature, url } = value;
  return [issuedAt, keyId, signature, url, value.business.id].every(isText);
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

const isText = (value: unknown): value is string => typeof value === 'string';

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
