const SHORTEST_MS = 25;
/** 25 ms of the densest usual WAV (192 kHz, 8 channels, 32 bit) are 154 kB; what is longer need not be decoded. */
const LONGEST_BASE64 = 300_000;
const NOTE = 'Audio output omitted because the clip is shorter than 25 ms; use a longer clip.';

/** The text that takes the place of a WAV clip too short to be heard; undefined for everything else. */
export function shortClipNote(url: string): string | undefined {
  const durationMs = url.length > LONGEST_BASE64 ? undefined : wavDurationMs(url);
  return durationMs !== undefined && durationMs < SHORTEST_MS ? NOTE : undefined;
}

/** Length of a WAV in a base64 `data:` URL, in ms; undefined when it is not one. */
export function wavDurationMs(url: string): number | undefined {
  const comma = url.indexOf(',');
  if (comma < 0 || !/;base64$/i.test(url.slice(0, comma))) return undefined;
  const bytes = Buffer.from(url.slice(comma + 1), 'base64');
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
    return undefined;
  }
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (name === 'fmt ' && at + 20 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(at + 16);
    if (name === 'data') {
      const present = Math.min(size, bytes.length - at - 8);
      return bytesPerSecond > 0 ? (present / bytesPerSecond) * 1000 : undefined;
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}
