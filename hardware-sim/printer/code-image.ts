import encodeQr from 'qr';

/** The longest text that a code of this kind holds. */
const longest = 2_000;

/** A QR code as an SVG picture; undefined for a text that does not fit. */
export function codeImage(text: string): string | undefined {
  return text === '' || text.length > longest ? undefined : encodeQr(text, 'svg', { ecc: 'medium', border: 1 });
}
