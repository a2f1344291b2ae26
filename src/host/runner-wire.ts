import * as g from '../protocol/guard.js';

/**
 * What host and runner say to each other over the runner's stdin and stdout: frames as on the outside, whose body is
 * one byte of kind and then a payload. Texts travel as UTF-8, values as the JSON text that the cell wrote or will
 * read: neither the host nor the runner's main realm parses them on the way.
 */
export const toRunner = {
  /** JSON `StartPayload`. */
  start: 1,
  /** `<call number> <JSON text of the result>` */
  result: 2,
  /** `<call number> <message>` */
  failure: 3,
} as const;

export const fromRunner = {
  /** The runner is up and its first context is made. Empty. */
  ready: 1,
  text: 2,
  /** JSON `{image_url, detail}` */
  image: 3,
  /** The audio's URL. */
  audio: 4,
  /** `<tool index> <JSON text of the input>`; calls number themselves from 1. */
  call: 5,
  notify: 6,
  yield: 7,
  /** In place of an output that no frame can hold: its size as JSON. */
  oversized: 9,
  /** The cell's code runs from here on. Empty. */
  started: 10,
  /** JSON `DonePayload`, the last message of a cell. */
  done: 8,
} as const;

export interface StartPayload {
  readonly source: string;
  /** In request order; names are identifiers already. */
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  /** The session's stored values: key, JSON text. */
  readonly stored: readonly (readonly [string, string])[];
}

export interface DonePayload {
  /** null: completed. */
  readonly error: string | null;
  /** What the cell stored: key, JSON text; the last write of each key. */
  readonly stored: readonly (readonly [string, string])[];
  /** Nothing of the cell can run any more, so the runner may serve another cell of the session. */
  readonly reusable: boolean;
}

/** Between host and runner no message is refused for its size; both sides limit what they put into one. */
export const MAX_RUNNER_FRAME_BYTES = 2 ** 32 - 1;

const pairs = g.list<readonly [string, string]>((value, path) => {
  const [key, json] = g.list(g.string)(value, path);
  return key !== undefined && json !== undefined ? [key, json] : g.refuse(path, 'a pair of strings', value);
});

const donePayload: g.Guard<DonePayload> = g.object('refuse', {
  error: g.nullable(g.string),
  stored: pairs,
  reusable: (value, path) => (typeof value === 'boolean' ? value : g.refuse(path, 'true or false', value)),
});

const imagePayload = g.object('refuse', {
  image_url: g.string,
  detail: g.oneOf('auto', 'low', 'high', 'original'),
});

/** A runner runs code that nobody trusts: what it says is checked like the words of any peer. */
export function parseDone(json: string): DonePayload {
  return donePayload(JSON.parse(json), 'done');
}

export function parseImage(json: string): ReturnType<typeof imagePayload> {
  return imagePayload(JSON.parse(json), 'image');
}
