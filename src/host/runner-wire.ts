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
