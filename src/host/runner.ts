import type { ImageDetail } from '../protocol/message.js';
import type { DonePayload, StartPayload } from './runner-wire.js';

/** What a cell's code does, in order. */
export interface RunnerEvents {
  /** The code was compiled and runs from here on. */
  started(): void;
  text(text: string): void;
  image(item: { readonly image_url: string; readonly detail: ImageDetail }): void;
  audio(url: string): void;
  oversized(bytes: number): void;
  /** `tool` is an index into the cell's tools, `input` JSON text; `call` counts from 1 within the cell. */
  call(call: number, tool: number, input: string): void;
  notify(text: string): void;
  yieldControl(): void;
  done(done: DonePayload): void;
  /** Instead of `done`: the runner is gone. `reason` is one line for people. */
  lost(reason: string): void;
}

/** Runs one cell after another; the only thing that the rest of the host knows of how cells are run. */
export interface Runner {
  start(payload: StartPayload, events: RunnerEvents): void;
  /** `text` is the JSON text of a result, or the message of a failure. */
  answer(call: number, ok: boolean, text: string): void;
  /** No code of the cell runs any more once this returns; `lost` is not called. */
  kill(): void;
}
