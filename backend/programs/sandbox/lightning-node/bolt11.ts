import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createSignedRequest, createUnsignedRequest } from 'invoices';

/** The network of all sandbox invoices and addresses, which no wallet with real money accepts. */
export const network = 'regtest';

export type InvoiceToSign = {
  readonly privateKey: Uint8Array;
  /** Hexadecimal. */
  readonly paymentHash: string;
  readonly paymentSecret: string;
  readonly amountMsat: number | null;
  readonly description: { readonly memo: string } | { readonly hash: string };
  readonly createdAt: number;
  readonly expiresInSeconds: number;
};

/**
 * Features that current nodes set: variable-length onion and payment secret, both required, and multi-part payments.
 */
const features = [{ bit: 8 }, { bit: 14 }, { bit: 17 }];

/** A genuine BOLT11 payment request, signed by the node's key. */
export function signedInvoice(invoice: InvoiceToSign): string {
  const destination = publicKeyOf(invoice.privateKey);
  const { description, amountMsat } = invoice;
  const unsigned = createUnsignedRequest({
    id: invoice.paymentHash,
    payment: invoice.paymentSecret,
    network,
    features,
    cltv_delta: 80,
    created_at: new Date(invoice.createdAt).toISOString(),
    expires_at: new Date(invoice.createdAt + invoice.expiresInSeconds * 1000).toISOString(),
    ...(amountMsat === null ? {} : { mtokens: String(amountMsat) }),
    ...('memo' in description ? { description: description.memo } : { description_hash: description.hash }),
  });
  const signature = secp256k1.sign(Buffer.from(unsigned.hash, 'hex'), invoice.privateKey, { prehash: false });
  return createSignedRequest({
    destination,
    hrp: unsigned.hrp,
    signature: Buffer.from(signature).toString('hex'),
    tags: unsigned.tags,
  }).request;
}

/** The node's id: the compressed secp256k1 public key, in hexadecimal. */
export function publicKeyOf(privateKey: Uint8Array): string {
  return Buffer.from(secp256k1.getPublicKey(privateKey, true)).toString('hex');
}

/** In hexadecimal; of a preimage it is the payment hash. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
