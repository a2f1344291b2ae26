import { wavDurationMs } from '../protocol/wav.js';
import { shortClipText } from './messages.js';

const SHORTEST_MS = 25;
/** 25 ms of the densest usual WAV (192 kHz, 8 channels, 32 bit) are 154 kB; what is longer need not be decoded. */
const LONGEST_BASE64 = 300_000;

/** The text that takes the place of a WAV clip too short to be heard; undefined for everything else. */
export function shortClipNote(url: string): string | undefined {
  const durationMs = url.length > LONGEST_BASE64 ? undefined : wavDurationMs(url);
  return durationMs !== undefined && durationMs < SHORTEST_MS ? shortClipText : undefined;
}
