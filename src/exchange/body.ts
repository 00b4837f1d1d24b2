/** Thrown when a body grows beyond the cap. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/**
 * Reads a body as UTF-8 and stops the stream once it has given more than `maxBytes`, decompressed.
 * Throws BodyTooLarge, a TypeError on bytes that are no UTF-8, and what the stream itself throws.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new BodyTooLarge(maxBytes);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
