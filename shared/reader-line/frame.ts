import { crc32 } from 'node:zlib';
import { err, ok, type Result } from '../result.ts';

/**
 * Framing of the reader line protocol: `KIND SEQ VERB k=v…*CRC32\n`. See README.md for the whole protocol.
 * Both functions are pure; everything that can be wrong with a line is a value.
 */

/** Q request, A answer, R result, E event, C confirmation. */
export const frameKinds = ['Q', 'A', 'R', 'E', 'C'] as const;
export type FrameKind = (typeof frameKinds)[number];

export type Fields = Readonly<Record<string, string>>;
export type Frame = {
  readonly kind: FrameKind;
  /** 1..9999; requests, answers, results and confirmations share the host's counter, events use the reader's own. */
  readonly sequence: number;
  readonly verb: string;
  readonly fields: Fields;
};

/** Longest line, its LF included. */
export const maxLineBytes = 1024;
const maxSequence = 9999;

export type EncodeRefusal =
  | { readonly kind: 'too_long'; readonly lengthBytes: number }
  | { readonly kind: 'bad_sequence' }
  | { readonly kind: 'bad_verb' }
  | { readonly kind: 'bad_key' };

/** No refusal contains any part of the line, which may contain card data. */
export type DecodeRefusal =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too_long' }
  | { readonly kind: 'not_printable' }
  | { readonly kind: 'no_checksum' }
  | { readonly kind: 'bad_checksum' }
  | { readonly kind: 'bad_kind' }
  | { readonly kind: 'bad_sequence' }
  | { readonly kind: 'bad_verb' }
  | { readonly kind: 'bad_field' }
  | { readonly kind: 'duplicate_field' }
  | { readonly kind: 'bad_escape' };

const verbPattern = /^[A-Z][A-Z0-9]{0,15}$/;
const keyPattern = /^[a-z][a-z0-9]{0,15}$/;
const checksumPattern = /^(.*)\*([0-9A-Fa-f]{8})$/;

/** The line without its LF, ready to be sent as latin1. */
export function encodeFrame(frame: Frame): Result<string, EncodeRefusal> {
  if (!Number.isInteger(frame.sequence) || frame.sequence < 1 || frame.sequence > maxSequence)
    return err({ kind: 'bad_sequence' });
  if (!verbPattern.test(frame.verb)) return err({ kind: 'bad_verb' });
  const parts = [frame.kind, String(frame.sequence).padStart(4, '0'), frame.verb];
  for (const [key, value] of Object.entries(frame.fields)) {
    if (!keyPattern.test(key)) return err({ kind: 'bad_key' });
    parts.push(`${key}=${escapeValue(value)}`);
  }
  const body = parts.join(' ');
  const line = `${body}*${checksum(body)}`;
  if (line.length + 1 > maxLineBytes) return err({ kind: 'too_long', lengthBytes: line.length + 1 });
  return ok(line);
}

/** Reads one line, without its LF (a CR before it is tolerated), given as latin1. */
export function decodeFrame(rawLine: string): Result<Frame, DecodeRefusal> {
  const line = rawLine.endsWith('\r') ? rawLine.slice(0, -1) : rawLine;
  if (line.length === 0) return err({ kind: 'empty' });
  if (line.length + 1 > maxLineBytes) return err({ kind: 'too_long' });
  if (!/^[\x20-\x7e]+$/.test(line)) return err({ kind: 'not_printable' });
  const [, body, expected] = checksumPattern.exec(line) ?? [];
  if (body === undefined || expected === undefined) return err({ kind: 'no_checksum' });
  if (checksum(body) !== expected.toUpperCase()) return err({ kind: 'bad_checksum' });
  const [kind, sequence, verb, ...pairs] = body.split(' ');
  if (!isFrameKind(kind)) return err({ kind: 'bad_kind' });
  if (sequence === undefined || !/^\d{4}$/.test(sequence) || sequence === '0000') return err({ kind: 'bad_sequence' });
  if (verb === undefined || !verbPattern.test(verb)) return err({ kind: 'bad_verb' });
  const fields = decodeFields(pairs);
  if (!fields.ok) return fields;
  return ok({ kind, sequence: Number(sequence), verb, fields: fields.value });
}

/** The next sequence number: 9999 is followed by 1, since 0 is never used. */
export function nextSequence(sequence: number): number {
  return sequence >= maxSequence ? 1 : sequence + 1;
}

/** CRC-32/ISO-HDLC as 8 upper-case hexadecimal digits; "123456789" gives CBF43926. */
export function checksum(text: string): string {
  return crc32(Buffer.from(text, 'latin1')).toString(16).toUpperCase().padStart(8, '0');
}

function decodeFields(pairs: readonly string[]): Result<Fields, DecodeRefusal> {
  const fields: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 0) return err({ kind: 'bad_field' });
    const key = pair.slice(0, at);
    if (!keyPattern.test(key)) return err({ kind: 'bad_field' });
    if (Object.hasOwn(fields, key)) return err({ kind: 'duplicate_field' });
    const value = unescapeValue(pair.slice(at + 1));
    if (value === undefined) return err({ kind: 'bad_escape' });
    fields[key] = value;
  }
  return ok(fields);
}

/**
 * Printable ASCII is unescaped, except space (ends a field), `%` (escapes) and `=` (ends a key); the rest is
 * percent-encoded UTF-8.
 */
function escapeValue(value: string): string {
  let escaped = '';
  for (const byte of Buffer.from(value.toWellFormed(), 'utf8')) {
    const literal = byte > 0x20 && byte < 0x7f && byte !== 0x25 && byte !== 0x3d;
    escaped += literal ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

function unescapeValue(value: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(value)) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function isFrameKind(value: string | undefined): value is FrameKind {
  return frameKinds.some(kind => kind === value);
}
