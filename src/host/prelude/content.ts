import { bridgeJson, op, parse, refuse, type Send, stringify } from './bridge.js';
import { dataUrl, emitAudio, emitImage, metaDetail } from './media.js';

const expected = 'content expects one MCP ContentBlock';
const iteratorSymbol = Symbol.iterator;

type Fields = { readonly [name: string]: unknown };

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function optionalString(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function mimeOf(block: Fields): string {
  const mime = block.mimeType ?? block.mime_type;
  return typeof mime === 'string' ? mime : 'application/octet-stream';
}

function media(block: Fields): string {
  const data = block.data;
  if (typeof data !== 'string' || !optionalString(block.mimeType) || !optionalString(block.mime_type)) {
    throw expected;
  }
  return dataUrl(data, mimeOf(block));
}

function emitBlock(send: Send, value: unknown): void {
  if (value === undefined || value === null) throw expected;
  const json = bridgeJson(value);
  refuse(send(op.check, json));
  const block: unknown = parse(json);
  if (!isFields(block)) throw expected;
  switch (block.type) {
    case 'text': {
      const text = block.text;
      if (typeof text !== 'string') throw expected;
      const meta = block._meta;
      if (isFields(meta) && meta['codex/encryptedContent'] === true) {
        throw 'content cannot emit encrypted MCP text';
      }
      send(op.text, text);
      return;
    }
    case 'image':
      emitImage(send, media(block), metaDetail(block) ?? 'high');
      return;
    case 'audio':
      emitAudio(send, media(block));
      return;
    case 'resource_link': {
      const { uri, name, mimeType, size } = block;
      const ok =
        typeof uri === 'string' &&
        typeof name === 'string' &&
        optionalString(mimeType) &&
        (size === undefined || size === null || typeof size === 'number');
      if (!ok) throw expected;
      send(op.text, stringify(block));
      return;
    }
    case 'resource': {
      const resource = block.resource;
      const ok =
        isFields(resource) &&
        typeof resource.uri === 'string' &&
        (typeof resource.text === 'string' || typeof resource.blob === 'string');
      if (!ok) throw expected;
      send(op.text, stringify(block));
      return;
    }
    default:
      throw expected;
  }
}

/** One MCP block, or one level of blocks. */
export function emitContent(send: Send, value: unknown): void {
  const iterable =
    typeof value !== 'string' &&
    value !== null &&
    value !== undefined &&
    typeof (value as { [iteratorSymbol]?: unknown })[iteratorSymbol] === 'function';
  if (!iterable) {
    emitBlock(send, value);
    return;
  }
  for (const block of value as Iterable<unknown>) emitBlock(send, block);
}
