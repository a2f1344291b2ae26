import { createHash } from 'node:crypto';
import type { Json, Message } from '../host-wire.js';

// Results as the data have them: ids and times that differ from run to run are left out, long texts and lists are
// recorded by length, hash and ends.

const LONG_TEXT = 3_000;
const MANY_ITEMS = 60;
const MANY_DELEGATES = 30;
const NOT_COMPARED = ['result_buffered_for_ns', 'code_mode_host_duration_ns'];

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function short(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= LONG_TEXT) return value;
  return { length: value.length, sha256: hash(value), head: value.slice(0, 200), tail: value.slice(-200) };
}

const shortFields = (item: Json): Json =>
  Object.fromEntries(Object.entries(item).map(([key, value]) => [key, short(value)]));

function shortItems(items: readonly Json[]): unknown {
  if (items.length <= MANY_ITEMS) return items.map(shortFields);
  const [first, last] = [items.slice(0, 3), items.slice(-2)].map((part) => part.map(shortFields));
  return { count: items.length, sha256: hash(JSON.stringify(items)), first, last };
}

function observed(response: Message): Json {
  const [[kind, fields]] = Object.entries(response) as [[string, Message]];
  const { cell_id, content_items, error_text, ...more } = fields;
  for (const name of NOT_COMPARED) delete more[name];
  const error = 'error_text' in fields ? { error_text: short(error_text) } : {};
  return { kind, cell_id, items: shortItems(content_items), ...error, ...more };
}

/** The result of a request, of any kind. */
export function recordResult(result: Message): Json {
  if (result.status === 'error') return { kind: 'op-error', message: result.message };
  const { value } = result;
  if (value.type === 'wait/completed') {
    const [[outcome, response]] = Object.entries(value.outcome) as [[string, Message]];
    return { outcome, ...observed(response) };
  }
  return value.type === undefined ? observed(value) : { ...value };
}

export function recordDelegate({ request }: Message): Json {
  if (request.type === 'notification/send') {
    const { callId, cellId, text } = request;
    return { type: 'notify', callId, cellId, text: short(text) };
  }
  const { cell_id, runtime_tool_call_id: call, tool_name, tool_kind, input } = request.invocation;
  const json = JSON.stringify(input);
  const long = json !== undefined && json.length > LONG_TEXT;
  const recorded = typeof input === 'string' ? short(input) : input;
  return { type: 'tool', cell_id, call, tool_name, tool_kind, input: long ? short(json) : recorded };
}

/** `undefined` when there was none. */
export function recordDelegates(delegates: readonly Json[]): unknown {
  if (delegates.length === 0) return undefined;
  return delegates.length > MANY_DELEGATES ? { count: delegates.length, first: delegates.slice(0, 3) } : delegates;
}
