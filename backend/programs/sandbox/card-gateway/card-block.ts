import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { z } from 'zod';

/**
 * The sandbox's card encryption, in place of DUKPT and a P2PE decryption service: only this sandbox can decrypt a
 * block, so the terminal and the service handle it like a real one. README.md describes the format.
 */
const readerMasterKey = 'florin-sandbox-reader-key-v1';

const cardBlock = z.object({
  pan: z.string().regex(/^\d{13,19}$/),
  expiry: z.string().regex(/^\d{4}$/),
  track: z.enum(['chip', 'contactless', 'swipe']),
  pinVerified: z.boolean(),
  counter: z.int().min(0),
});
export type CardBlock = z.infer<typeof cardBlock>;

/** Decrypts a card block that a reader created; undefined if it was changed, or is for another key serial number. */
export function openCardBlock(encryptedBlock: string, keySerialNumber: string): CardBlock | undefined {
  try {
    const bytes = Buffer.from(encryptedBlock, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', blockKey(keySerialNumber), bytes.subarray(0, 12), {
      authTagLength: 16,
    });
    decipher.setAuthTag(bytes.subarray(bytes.length - 16));
    const text = Buffer.concat([decipher.update(bytes.subarray(12, bytes.length - 16)), decipher.final()]);
    const parsed = cardBlock.safeParse(JSON.parse(text.toString('utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Wrong key, truncated, tampered with or not JSON: one result for the caller.
    return undefined;
  }
}

function blockKey(keySerialNumber: string): Buffer {
  return Buffer.from(hkdfSync('sha256', readerMasterKey, keySerialNumber, 'card-block', 32));
}

const tokenCard = z.object({
  cardNumber: z.string(),
  cardExpiryMonth: z.string(),
  cardExpiryYear: z.string(),
  cardCVV: z.string(),
});
export type TokenCard = z.infer<typeof tokenCard>;

/** A payment token as the gateway's hosted card fields create it: the encrypted card, readable by this sandbox only. */
export function sealToken(card: TokenCard, options: { key: Buffer; iv: Uint8Array }): string {
  const cipher = createCipheriv('aes-256-gcm', options.key, options.iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(card), 'utf8'), cipher.final()]);
  return Buffer.concat([options.iv, sealed, cipher.getAuthTag()]).toString('base64');
}

/** The card in a payment token; undefined if the token was changed, or another instance of the sandbox created it. */
export function openToken(token: string, key: Buffer): TokenCard | undefined {
  try {
    const bytes = Buffer.from(token, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), {
      authTagLength: 16,
    });
    decipher.setAuthTag(bytes.subarray(bytes.length - 16));
    const text = Buffer.concat([decipher.update(bytes.subarray(12, bytes.length - 16)), decipher.final()]);
    return tokenCard.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return undefined;
  }
}
