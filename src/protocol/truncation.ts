import type { ContentItem } from './message.js';
import { wavDurationMs } from './wav.js';

/** A token is four bytes of UTF-8, counted up. */
const TOKEN_BYTES = 4;
const WAV_TOKENS_PER_SECOND = 10;
const ERROR_BYTES = 65_536;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What an observation holds: items, and where the retention left some out, the marker between head and tail. */
export interface Retained {
  readonly head: readonly ContentItem[];
  readonly marker: string | undefined;
  readonly tail: readonly ContentItem[];
  /** The last of `head` and the first of `tail` are pieces of one text. */
  readonly split: boolean;
}

export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / TOKEN_BYTES);
}

/** The first `limit` bytes, shortened to whole characters. */
export function prefix(bytes: Uint8Array, limit: number): Uint8Array {
  let end = Math.min(limit, bytes.length);
  while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end--;
  return bytes.subarray(0, end);
}

/** The last `limit` bytes, shortened to whole characters. */
export function suffix(bytes: Uint8Array, limit: number): Uint8Array {
  let start = Math.max(0, bytes.length - limit);
  while (start < bytes.length && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

const text = (value: string): ContentItem => ({ type: 'input_text', text: value });

/** Fits an observation into a token budget. */
export function truncate(retained: Retained, maxTokens: number): readonly ContentItem[] {
  const { head, marker, tail } = retained;
  const middle = marker === undefined ? [] : [text(marker)];
  const all = [...head, ...middle, ...tail];
  return all.every((item) => item.type === 'input_text')
    ? truncateTexts(retained, maxTokens, all)
    : truncateMixed(all, maxTokens);
}

function join(items: readonly ContentItem[]): string {
  let joined = '';
  for (const item of items) {
    if (item.type !== 'input_text') continue;
    joined = joined === '' ? item.text : `${joined}\n${item.text}`;
  }
  return joined;
}

function truncateTexts(
  retained: Retained,
  maxTokens: number,
  untouched: readonly ContentItem[],
): readonly ContentItem[] {
  const head = encoder.encode(join(retained.head));
  const tail = encoder.encode(join(retained.tail));
  const glue = retained.split || head.length === 0 || tail.length === 0 ? '' : '\n';
  const whole = encoder.encode(`${join(retained.head)}${glue}${join(retained.tail)}`);
  const budget = maxTokens * TOKEN_BYTES;
  if (whole.length <= budget) return untouched;
  const warning = `Warning: truncated output (original token count: ${tokensOf(whole.length)})\nTotal output lines: ${lines(whole)}\n\n`;
  const cut = cutMiddle(
    retained.marker === undefined ? whole : head,
    retained.marker === undefined ? whole : tail,
    budget,
  );
  const note = `…${tokensOf(whole.length - budget)} tokens truncated…`;
  return retained.marker === undefined
    ? [text(`${warning}${cut.head}${note}${cut.tail}`)]
    : [text(`${warning}${cut.head}${note}`), text(retained.marker), text(cut.tail)];
}

function cutMiddle(head: Uint8Array, tail: Uint8Array, budget: number): { head: string; tail: string } {
  const first = Math.floor(budget / 2);
  return { head: decoder.decode(prefix(head, first)), tail: decoder.decode(suffix(tail, budget - first)) };
}

function lines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? count + 1 : count;
}

/** With images or audio among them, items are taken one by one while the budget lasts; images are free. */
function truncateMixed(items: readonly ContentItem[], maxTokens: number): readonly ContentItem[] {
  const kept: ContentItem[] = [];
  let left = maxTokens;
  let texts = 0;
  let audios = 0;
  for (const item of items) {
    if (item.type === 'input_image') kept.push(item);
    else if (item.type === 'input_audio') {
      const cost = audioTokens(item.audio_url);
      if (cost > left) audios++;
      else {
        left -= cost;
        kept.push(item);
      }
    } else if (item.text !== '') {
      const bytes = encoder.encode(item.text);
      const cost = tokensOf(bytes.length);
      if (cost <= left) {
        left -= cost;
        kept.push(item);
      } else if (left === 0) texts++;
      else {
        const budget = left * TOKEN_BYTES;
        const cut = cutMiddle(bytes, bytes, budget);
        kept.push(text(`${cut.head}…${tokensOf(bytes.length - budget)} tokens truncated…${cut.tail}`));
        left = 0;
      }
    }
  }
  if (texts > 0) kept.push(text(`[omitted ${texts} text items ...]`));
  if (audios > 0) kept.push(text(`[omitted ${audios} audio items ...]`));
  return kept;
}

function audioTokens(url: string): number {
  const durationMs = wavDurationMs(url);
  if (durationMs === undefined) return tokensOf(encoder.encode(url).length);
  return Math.max(1, Math.ceil((durationMs / 1000) * WAV_TOKENS_PER_SECOND));
}

/** An error text longer than 64 KiB keeps its head and its tail. */
export function shortenError(errorText: string): string {
  const bytes = encoder.encode(errorText);
  if (bytes.length <= ERROR_BYTES) return errorText;
  // The character in the middle takes three bytes.
  const head = Math.floor((ERROR_BYTES - 3) / 2);
  return `${decoder.decode(prefix(bytes, head))}…${decoder.decode(suffix(bytes, ERROR_BYTES - 3 - head))}`;
}

/** What a failed cell's output ends with when it is truncated. */
export function scriptError(errorText: string): ContentItem {
  return text(`Script error:\n${errorText}`);
}
