const encoder = new TextEncoder();

/**
 * Whether a hex HMAC-SHA256 over a text was made with this secret; compared in constant time. An empty secret signs
 * nothing, because anybody could sign with it.
 */
export async function isSignedWith(secret: string, text: string | Uint8Array, hex: string): Promise<boolean> {
  if (secret === '' || !/^[0-9a-f]{64}$/.test(hex)) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const signature = Uint8Array.from(hex.match(/../g) ?? [], byte => Number.parseInt(byte, 16));
  const signed = typeof text === 'string' ? encoder.encode(text) : Uint8Array.from(text);
  return crypto.subtle.verify('HMAC', key, signature, signed);
}
