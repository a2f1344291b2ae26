import { MAX_JSON_DEPTH } from '../../protocol/limits.js';

const PREFIX = 'failed to serialize JavaScript value: ';
/** Keys that the reference's JSON library keeps for itself; a Rust client would read such an object as a number. */
const RESERVED_KEY = /(?<!\\)"\$serde_json::private::(?:RawValue|Number)":/;
const SURROGATE_ESCAPE = /\\u(d[89a-f][\da-f]{2})/g;

/**
 * What the reference's strict parser would refuse in the JSON text of a cell's value, in its words; columns count
 * UTF-8 bytes from 1. `JSON.stringify` made the text, so it is compact, and only lone surrogates are escaped as `\ud…`.
 */
export function bridgeFault(json: string): string | undefined {
  const depth = json.length > 2 * MAX_JSON_DEPTH ? depthFault(json) : undefined;
  const surrogate = json.includes('\\ud') ? surrogateFault(json) : undefined;
  const first = [depth, surrogate].filter((fault) => fault !== undefined).sort((a, b) => a.at - b.at)[0];
  if (first !== undefined) return `${PREFIX}${first.what} at line 1 column ${column(json, first.at)}`;
  return RESERVED_KEY.test(json) ? `${PREFIX}reserved JSON object key` : undefined;
}

interface Fault {
  readonly what: string;
  /** Offset of the character that the parser stops at, or just behind it, in UTF-16 units. */
  readonly at: number;
}

function column(json: string, at: number): number {
  return Buffer.byteLength(json.slice(0, at));
}

function depthFault(json: string): Fault | undefined {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const c = json.charCodeAt(at);
    if (c === 0x22) at = endOfString(json, at);
    else if (c === 0x5b || c === 0x7b) {
      depth++;
      if (depth > MAX_JSON_DEPTH) return { what: 'recursion limit exceeded', at: at + 1 };
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return undefined;
}

function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); ; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
}

function surrogateFault(json: string): Fault | undefined {
  for (const match of json.matchAll(SURROGATE_ESCAPE)) {
    let slashes = 0;
    while (json.charCodeAt(match.index - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 1) continue;
    const end = match.index + 6;
    const high = /^d[89ab]/.test(match[1] ?? '');
    if (!high) return { what: 'lone leading surrogate in hex escape', at: end };
    // The parser goes on to look for the second half of the pair.
    const next = json.slice(end, end + 2);
    if (next[0] !== '\\') return { what: 'unexpected end of hex escape', at: end + 1 };
    if (next[1] !== 'u') return { what: 'unexpected end of hex escape', at: end + 2 };
    return { what: 'lone leading surrogate in hex escape', at: end + 6 };
  }
  return undefined;
}
