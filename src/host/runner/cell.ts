import { SourceTextModule } from 'node:vm';
import { MAX_FRAME_BYTES } from '../../protocol/limits.js';
import { op, type Send } from '../prelude/bridge.js';
import { type DonePayload, fromRunner, type StartPayload } from '../runner-wire.js';
import { bridgeFault } from './bridge-json.js';
import type { Realm } from './realm.js';
import { Timers } from './timers.js';

// `process` is gone from this realm once a cell runs.
const { nextTick } = process;
/** The host counts exactly what is too long for a frame; beyond this there is no need to. */
const SENDABLE = 2 * MAX_FRAME_BYTES;
/** All values of a session together, in characters of JSON. */
const MAX_STORED = 2 ** 28;
/** What stands around the value of a content item. */
const ITEM_ENVELOPE_BYTES = 32;
const MODULE_FILE = 'exec_main.mjs';

/**
 * `module.evaluate()` would await the module's promise from this realm, and so hand functions of this realm to a `then`
 * that the cell may have replaced. The wrapped module inside gives the promise itself, an object of the cell's context.
 */
function evaluateInContext(module: SourceTextModule): Promise<unknown> {
  const key = Object.getOwnPropertySymbols(module).find((symbol) => symbol.description === 'kWrap');
  if (key === undefined) throw new Error('this version of Node hides the module from its runner');
  const wrapped = (
    module as unknown as Record<symbol, { evaluate(timeout: number, sigint: boolean): Promise<unknown> }>
  )[key];
  if (wrapped === undefined) throw new Error('this version of Node hides the module from its runner');
  return wrapped.evaluate(-1, false);
}

function tooLong(length: number): string {
  return `code-mode IPC frame length ${length} exceeds ${MAX_FRAME_BYTES} bytes`;
}

export interface CellPort {
  send(kind: number, payload: string): void;
  /** Ends the runner without running anything else of the cell. */
  exit(): never;
  /** The cell has ended and the runner lives on. */
  finished(): void;
}

/** One cell, from its source to its `done` message. */
export class Cell {
  readonly #realm: Realm;
  readonly #port: CellPort;
  readonly #stored = new Map<string, string>();
  readonly #timers = new Timers((id) => this.#fire(id));
  #storedSize = 0;
  #openCalls = 0;
  #ended = false;

  constructor(realm: Realm, port: CellPort) {
    this.#realm = realm;
    this.#port = port;
  }

  async run(start: StartPayload): Promise<void> {
    this.#realm.receiver = this.#receive;
    for (const [key, json] of start.stored) this.#storedSize += key.length + json.length;
    this.#realm.prelude.setup(JSON.stringify(start.tools), JSON.stringify(start.stored));
    let module: SourceTextModule;
    try {
      module = new SourceTextModule(start.source, {
        context: this.#realm.context,
        identifier: MODULE_FILE,
        importModuleDynamically: () => {
          throw 'unsupported import in exec';
        },
      });
    } catch (error) {
      const { name, message } = error as Error;
      this.#finish(`${name}: ${message}`);
      return;
    }
    const [imported] = module.dependencySpecifiers;
    if (imported !== undefined) {
      this.#finish(`Unsupported import in exec: ${imported}`);
      return;
    }
    await module.link(() => {
      throw new Error('a cell has no imports');
    });
    this.#port.send(fromRunner.started, '');
    this.#realm.prelude.watch(evaluateInContext(module));
  }

  deliver(call: number, ok: boolean, text: string): void {
    if (this.#ended) return;
    this.#openCalls--;
    this.#realm.prelude.deliver(call, ok, text);
  }

  readonly #receive: Send = (kind, first = '', second = '') => {
    switch (kind) {
      case op.text:
        return this.#output(fromRunner.text, first, first);
      case op.image:
        return this.#output(fromRunner.image, JSON.stringify({ image_url: first, detail: second }), first);
      case op.audio:
        return this.#output(fromRunner.audio, first, first);
      case op.notify:
        // Like the reference, a notification that no frame can hold is dropped.
        if (first.length <= MAX_FRAME_BYTES) this.#port.send(fromRunner.notify, first);
        return undefined;
      case op.yield:
        return this.#port.send(fromRunner.yield, '') as undefined;
      case op.check:
        return bridgeFault(first);
      case op.call:
        if (second.length > SENDABLE) return tooLong(second.length);
        this.#openCalls++;
        return this.#port.send(fromRunner.call, `${first} ${second}`) as undefined;
      case op.store:
        return this.#store(first, second);
      case op.timer:
        this.#timers.add(Number(first), Number(second));
        return undefined;
      case op.clearTimer:
        this.#timers.remove(Number(first));
        return undefined;
      case op.exit:
        this.#abandon(null);
        return undefined;
      case op.completed:
        this.#settled(null);
        return undefined;
      case op.failed:
        this.#settled(first);
        return undefined;
      default:
        return undefined;
    }
  };

  #store(key: string, json: string): string | undefined {
    const before = this.#stored.get(key)?.length ?? 0;
    const size = this.#storedSize - before + json.length + key.length;
    if (size > MAX_STORED) {
      return `Unable to store ${JSON.stringify(key)}. The stored values of a session may have ${MAX_STORED} characters of JSON together.`;
    }
    this.#storedSize = size;
    this.#stored.set(key, json);
    return undefined;
  }

  /** What could not leave the host anyway does not leave the runner. */
  #output(kind: number, payload: string, value: string): undefined {
    if (value.length <= SENDABLE) this.#port.send(kind, payload);
    else this.#port.send(fromRunner.oversized, String(value.length + ITEM_ENVELOPE_BYTES));
  }

  #settled(error: string | null): void {
    // Every microtask that is queued by now still runs, timers and tool answers that come later do not.
    this.#timers.clear();
    nextTick(() => this.#finish(error));
  }

  #fire(id: number): void {
    if (this.#ended) return;
    try {
      this.#realm.prelude.fire(id);
    } catch (thrown) {
      this.#abandon(this.#realm.prelude.describe(thrown));
    }
  }

  /** The cell ends here and now, in the middle of its code: only the end of the process makes sure of that. */
  #abandon(error: string | null): never {
    if (!this.#ended) this.#sendDone({ error, stored: [...this.#stored], reusable: false });
    this.#port.exit();
  }

  #finish(error: string | null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#realm.receiver = undefined;
    const reusable = this.#openCalls === 0 && this.#timers.size === 0;
    this.#sendDone({ error, stored: [...this.#stored], reusable });
    this.#port.finished();
  }

  #sendDone(done: DonePayload): void {
    // A frame has no room for more, and the answer says so.
    const error = done.error === null ? null : done.error.slice(0, MAX_FRAME_BYTES);
    this.#port.send(fromRunner.done, JSON.stringify({ ...done, error }));
  }
}
