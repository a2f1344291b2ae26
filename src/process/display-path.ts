const limitBytes = 512;
const ellipsis = '...';

/**
 * A path as it may appear in an error text: at most 512 bytes of UTF-8. A longer one loses its head, not its tail,
 * because the tail names the program. The text becomes model-visible, hence the bound.
 */
export function displayPath(path: string | Uint8Array): string {
  const text = typeof path === 'string' ? path : new TextDecoder('utf-8', { ignoreBOM: true }).decode(path);
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limitBytes) return bytes.toString('utf8');
  let start = bytes.length - (limitBytes - ellipsis.length);
  while (isContinuation(bytes[start])) start += 1;
  return ellipsis + bytes.toString('utf8', start);
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
