const escapes: Readonly<Record<number, string>> = { 10: '\\n', 13: '\\r', 92: '\\\\' };

/** Bytes as visible ASCII: a line feed is `\n`, other bytes without a character of their own are `\x02`. */
export function escaped(bytes: Uint8Array): string {
  const shown = (byte: number) =>
    escapes[byte] ??
    (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`);
  return Array.from(bytes, shown).join('');
}

/** The bytes that `escaped` shows like this; undefined if the text has an escape that is none of its. */
export function bytesOf(text: string): Buffer | undefined {
  if (!/^(?:[\x20-\x5b\x5d-\x7e]|\\(?:[nr\\]|x[0-9a-f]{2}))*$/i.test(text)) return undefined;
  const plain = text.replace(/\\(x..|.)/g, (_, code: string) => {
    if (code.startsWith('x')) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return code === 'n' ? '\n' : code === 'r' ? '\r' : '\\';
  });
  return Buffer.from(plain, 'latin1');
}
