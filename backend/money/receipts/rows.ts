import type { Instant } from '@florin/shared/ports.ts';

/** A receipt, found by the address that the customer has. */
export type ReceiptRow = {
  /** SHA-256 of the token in its address, which is stored nowhere. */
  tokenHash: string;
  id: string;
  businessId: string;
  /** The payment, void or refund that it is of. */
  subjectId: string;
  createdAt: Instant;
};

/** A key with which a business signs its receipts, one at a time. */
export type ReceiptKeyRow = {
  id: string;
  businessId: string;
  /** SPKI, base64. */
  publicKey: string;
  /** The seed of the key pair, sealed for the key's id. */
  sealedSeed: string;
  createdAt: Instant;
  /** When another one replaced it; null for the current key. */
  retiredAt: Instant | null;
};

/** An address that somebody typed to get a receipt; it is used for nothing else. */
export type ReceiptEmailRow = {
  id: string;
  receiptId: string;
  address: string;
  /** Lower case: the same address, however it is typed. */
  addressKey: string;
  sentAt: Instant;
};
