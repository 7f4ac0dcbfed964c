import { createCipheriv, hkdfSync } from 'node:crypto';
import type { Random } from '@florin/shared/ports.ts';
import { holdsPan } from '@florin/shared/reader-line/pan.ts';
import type { TestCard } from './wallet.ts';

/**
 * The encrypted card block, which only the sandbox gateway can decrypt: base64 of iv(12) || AES-256-GCM ciphertext ||
 * tag(16), with a separate key per transaction.
 */
const baseKey = 'florin-sandbox-reader-key-v1';
const keyPurpose = 'card-block';

export type CardBlock = { readonly block: string; readonly keySerialNumber: string };

/** Encrypts a card for one transaction, under a key derived from the reader's number and `counter`. */
export function sealCard(options: {
  card: TestCard;
  track: 'chip' | 'contactless' | 'swipe';
  pinVerified: boolean;
  counter: number;
  readerNumber: string;
  random: Random;
}): CardBlock {
  const { card, track, pinVerified, counter, random } = options;
  const keySerialNumber = keySerialNumberOf(options.readerNumber, counter);
  const key = Buffer.from(hkdfSync('sha256', baseKey, Buffer.from(keySerialNumber, 'utf8'), keyPurpose, 32));
  const plaintext = JSON.stringify({ pan: card.number, expiry: card.expiry, track, pinVerified, counter });
  for (;;) {
    const iv = random.bytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const sealed = Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    const block = sealed.toString('base64');
    // Base64 may look like a card number, and the host would drop the line: use another iv.
    if (!holdsPan(block)) return { block, keySerialNumber };
  }
}

/** 20 hexadecimal digits; letters between the parts keep runs of decimal digits short. */
function keySerialNumberOf(readerNumber: string, counter: number): string {
  return `F10A${readerNumber.slice(-6).padStart(6, '0')}EC${counter.toString(16).toUpperCase().padStart(8, '0')}`;
}
