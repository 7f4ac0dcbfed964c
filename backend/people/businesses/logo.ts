import { hash } from 'node:crypto';
import { maxLogoBytes } from '@florin/shared/contracts/api-v1/business.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { BusinessLogoRow } from './rows.ts';

export type Logo = Omit<BusinessLogoRow, 'businessId' | 'changedAt'>;
type Size = { readonly widthPx: number; readonly heightPx: number };

const maxSidePx = 2_000;

/**
 * A picture for customers' pages: PNG or JPEG by its content, whatever its sender calls it. Not SVG, which may carry
 * scripts. The refusal says what it must be.
 */
export function logoOf(contentBase64: string): Result<Logo, string> {
  const bytes = Buffer.from(contentBase64, 'base64');
  if (bytes.length > maxLogoBytes) return err('must be a picture of at most 100 kB');
  const png = pngSize(bytes);
  const size = png ?? jpegSize(bytes);
  if (!size) return err('must be a PNG or JPEG picture');
  const { widthPx, heightPx } = size;
  if (Math.min(widthPx, heightPx) < 1 || Math.max(widthPx, heightPx) > maxSidePx)
    return err(`must be at most ${maxSidePx} × ${maxSidePx} pixels, and is ${widthPx} × ${heightPx}`);
  return ok({ hash: hash('sha256', bytes), mediaType: png ? 'image/png' : 'image/jpeg', contentBase64, ...size });
}

const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, pngStart.length).equals(pngStart)) return undefined;
  return { widthPx: bytes.readUInt32BE(16), heightPx: bytes.readUInt32BE(20) };
}

/** Start of frame: the segment that has the size. C4, C8 and CC of the same range are other segments. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return { heightPx: bytes.readUInt16BE(at + 5), widthPx: bytes.readUInt16BE(at + 7) };
    // A marker may be filled up with further FF bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
