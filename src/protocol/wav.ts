/** Length of a WAV in a base64 `data:` URL, in ms; undefined when it is not one. */
export function wavDurationMs(url: string): number | undefined {
  const bytes = base64Of(url);
  if (bytes === undefined || bytes.length < 12 || word(bytes, 0) !== 'RIFF' || word(bytes, 8) !== 'WAVE')
    return undefined;
  const view = new DataView(bytes.buffer);
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    if (word(bytes, at) === 'fmt ' && at + 20 <= bytes.length) bytesPerSecond = view.getUint32(at + 16, true);
    if (word(bytes, at) === 'data') {
      const present = Math.min(size, bytes.length - at - 8);
      return bytesPerSecond > 0 ? (present / bytesPerSecond) * 1000 : undefined;
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function word(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function base64Of(url: string): Uint8Array<ArrayBuffer> | undefined {
  const comma = url.indexOf(',');
  if (comma < 0 || !/;base64$/i.test(url.slice(0, comma))) return undefined;
  try {
    const binary = atob(url.slice(comma + 1));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}
