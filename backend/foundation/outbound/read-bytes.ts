/** A whole body; undefined if it is longer than the limit. */
export async function readBytes(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const part = chunk as Buffer;
    length += part.length;
    if (length > maxBytes) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}
