import { type KeyPair, signText, verifyText } from '@florin/shared/signing/ed25519.ts';

/** A file that offers an update: it names the packages of a version, each with its SHA-512. */
export type Offer = { readonly fileName: string; readonly content: string };

/** The name too, so that the signature of one system's file does not fit that of another. */
function signedText({ fileName, content }: Offer): string {
  return `florin-update-v1\n${fileName}\n${content}`;
}

/** The signature of an offer, base64; it is published as `<fileName>.sig`. */
export function signatureOf(offer: Offer, { privateKey }: Pick<KeyPair, 'privateKey'>): string {
  return signText(privateKey, signedText(offer));
}

/** Whether the offer has a signature of this key. */
export function isSigned(offer: Offer, { publicKey, signature }: { publicKey: string; signature: string }): boolean {
  return verifyText(publicKey, signedText(offer), signature.trim());
}
