import { begins, bridgeJson, isArray, lower, op, parse, refuse, type Send } from './bridge.js';

const DETAILS = { auto: true, low: true, high: true, original: true, __proto__: null } as unknown as Record<
  string,
  true
>;

const imageExpected =
  'image expects a non-empty image URL string, an object with image_url and optional detail, or a raw MCP image block';
const audioExpected = 'audio expects a non-empty audio URL string, an object with audio_url, or a raw MCP audio block';

type Fields = { readonly [name: string]: unknown };

function isObject(value: unknown): value is Fields {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** The URL of an MCP block's data: as it is when it is a `data:` URL already. */
export function dataUrl(data: string, mime: string): string {
  return begins(data, 'data:') ? data : `data:${mime};base64,${data}`;
}

function mimeOf(block: Fields): string {
  for (const name of ['mimeType', 'mime_type']) {
    const mime = block[name];
    if (typeof mime === 'string' && mime !== '') return mime;
  }
  return 'application/octet-stream';
}

/** `_meta["codex/imageDetail"]`, only when it is one of the words in lower case. */
export function metaDetail(block: Fields): string | undefined {
  const meta = block._meta;
  const detail = isObject(meta) ? meta['codex/imageDetail'] : undefined;
  return typeof detail === 'string' && DETAILS[detail] ? detail : undefined;
}

function blockUrl(
  value: unknown,
  kind: 'image' | 'audio',
  expected: string,
  send: Send,
): { url: string; block: Fields } {
  const json = bridgeJson(value);
  refuse(send(op.check, json));
  const block = parse(json) as Fields;
  const type = isObject(block) ? block.type : undefined;
  if (typeof type !== 'string') throw expected;
  if (type !== kind) throw `${kind} only accepts MCP ${kind} blocks, got "${type}"`;
  const data = block.data;
  if (typeof data !== 'string' || data === '') throw `${kind} expected MCP ${kind} data`;
  return { url: dataUrl(data, mimeOf(block)), block };
}

function checkDetail(detail: unknown): string | undefined {
  if (detail === undefined || detail === null) return undefined;
  if (typeof detail !== 'string') throw 'image detail must be a string when provided';
  const word = lower(detail);
  if (!DETAILS[word]) throw 'image detail must be one of: auto, low, high, original';
  return word;
}

export function emitImage(send: Send, url: string, detail: string): void {
  if (begins(url, 'http://') || begins(url, 'https://')) {
    throw 'Tool call failed: remote image URLs are not supported in tool outputs. Pass a base64 data URI instead';
  }
  if (!begins(url, 'data:')) {
    throw 'Tool call failed: invalid image output. Pass a base64 data URI instead';
  }
  refuse(send(op.image, url, detail));
}

export function emitAudio(send: Send, url: string): void {
  if (!begins(url, 'data:')) throw 'Tool call failed: invalid audio output. Pass a base64 data URI instead';
  refuse(send(op.audio, url));
}

export function image(send: Send, value: unknown, detailArgument: unknown): void {
  let url: unknown;
  let embedded: unknown;
  if (typeof value === 'string') url = value;
  else if (isObject(value) && !isArray(value)) {
    url = value.image_url;
    if (url === undefined) {
      const found = blockUrl(value, 'image', imageExpected, send);
      url = found.url;
      embedded = metaDetail(found.block);
    } else {
      if (typeof url !== 'string' || url === '') throw imageExpected;
      embedded = value.detail;
    }
  }
  if (typeof url !== 'string' || url === '') throw imageExpected;
  if (embedded !== undefined && embedded !== null && typeof embedded !== 'string') {
    throw 'image detail must be a string when provided';
  }
  const chosen = detailArgument === undefined || detailArgument === null ? embedded : detailArgument;
  const detail = checkDetail(chosen);
  emitImage(send, url, detail ?? 'high');
}

export function audio(send: Send, value: unknown): void {
  let url: unknown;
  if (typeof value === 'string') url = value;
  else if (isObject(value) && !isArray(value)) {
    url = value.audio_url;
    if (url === undefined) url = blockUrl(value, 'audio', audioExpected, send).url;
  }
  if (typeof url !== 'string' || url === '') throw audioExpected;
  emitAudio(send, url);
}

export function generatedImage(send: Send, result: unknown): void {
  if (!isObject(result)) throw 'generatedImage expects an image generation result object';
  const hint = result.output_hint;
  if (hint !== undefined && typeof hint !== 'string') {
    throw 'generatedImage output_hint must be a string when provided';
  }
  image(send, result, undefined);
  if (hint !== undefined) send(op.text, hint);
}
