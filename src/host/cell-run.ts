import { CodemodeError } from '../errors.js';
import type { DelegateRequest, ExecuteRequest, ImageDetail, ToolDefinition } from '../protocol/message.js';
import { RawJson } from '../protocol/strict-json.js';
import { toolProperty } from '../protocol/tool-name.js';
import { shortClipNote } from './audio-clip.js';
import type { Cell } from './cell.js';
import type { ChildRunner } from './child-runner.js';
import type { Delegates } from './delegates.js';
import { invalidDeliveryText, invalidResultText, notNotifiedText, tooManyCallsText } from './messages.js';
import type { RunnerEvents } from './runner.js';
import type { DonePayload } from './runner-wire.js';

/** As many runners may have been waiting, all of them killed together. */
const MAX_RETRIES = 4;

/** What a running cell needs of its connection. */
export interface RunPort {
  readonly delegates: Delegates;
  /** Throws `frame-too-large`. `inputJson` is spliced into a tool call without being parsed. */
  sendDelegate(id: number, request: DelegateRequest, inputJson?: string): void;
  cancelDelegate(id: number): void;
  /** A line for the operator. */
  warn(line: string): void;
}

/** Ties a cell to the runner that runs it: its output, its calls, its end. */
export class CellRun implements RunnerEvents {
  readonly #cell: Cell;
  readonly #port: RunPort;
  readonly #request: ExecuteRequest;
  readonly #tools: readonly ToolDefinition[];
  readonly #started: () => void;
  readonly #retry: () => void;
  #codeRan = false;
  #retries = 0;
  readonly #ended: (runner: ChildRunner, done: DonePayload | undefined) => void;
  /** Unanswered delegate ids; tool calls are cancelled when the code ends, notifications only by termination. */
  readonly #calls = new Map<number, 'tool' | 'notification'>();
  /** Notifications that wait for room. */
  #notifications: string[] = [];
  #runner: ChildRunner | undefined;

  constructor(
    cell: Cell,
    port: RunPort,
    request: ExecuteRequest,
    tools: readonly ToolDefinition[],
    { started, retry }: { readonly started: () => void; readonly retry: () => void },
    ended: (runner: ChildRunner, done: DonePayload | undefined) => void,
  ) {
    this.#cell = cell;
    this.#port = port;
    this.#request = request;
    this.#tools = tools;
    this.#started = started;
    this.#retry = retry;
    this.#ended = ended;
  }

  start(runner: ChildRunner, stored: readonly (readonly [string, string])[]): void {
    this.#runner = runner;
    const tools = this.#tools.map(({ name, description }) => ({ name: toolProperty(name), description }));
    runner.start({ source: this.#request.source, tools, stored }, this);
  }

  /** While held, the code stops as soon as it has written more than its pipe takes. */
  hold(held: boolean): void {
    this.#runner?.hold('output', held);
  }

  /** Stops the code if it still runs, and takes back the calls that are left. */
  stop(notificationsToo: boolean): void {
    for (const [id, kind] of this.#calls) {
      if (kind === 'notification' && !notificationsToo) continue;
      this.#calls.delete(id);
      this.#port.delegates.remove(id);
      this.#port.cancelDelegate(id);
    }
    if (notificationsToo) this.#notifications = [];
    const runner = this.#runner;
    this.#runner = undefined;
    if (runner !== undefined) this.#ended(runner, undefined);
  }

  started(): void {
    this.#codeRan = true;
    this.#started();
  }

  text(text: string): void {
    this.#cell.emit({ type: 'input_text', text });
  }

  image(item: { readonly image_url: string; readonly detail: ImageDetail }): void {
    this.#cell.emit({ type: 'input_image', image_url: item.image_url, detail: item.detail });
  }

  audio(url: string): void {
    const note = shortClipNote(url);
    this.#cell.emit(note === undefined ? { type: 'input_audio', audio_url: url } : { type: 'input_text', text: note });
  }

  oversized(bytes: number): void {
    this.#cell.emitOversized(bytes);
  }

  call(call: number, index: number, input: string): void {
    const tool = this.#tools[index];
    if (tool === undefined) throw new Error(`there is no tool ${index}`);
    // It goes into a frame of ours as it is, so it has to be what it should be.
    JSON.parse(input);
    const reject = (message: string) => this.#runner?.answer(call, false, message);
    const { delegates } = this.#port;
    if (delegates.full) {
      reject(tooManyCallsText);
      return;
    }
    const id = delegates.nextId();
    const invocation = {
      cell_id: this.#cell.id,
      runtime_tool_call_id: `tool-${call}`,
      tool_name: { name: tool.tool_name.name, namespace: tool.tool_name.namespace ?? null },
      tool_kind: tool.kind,
      input: null,
    };
    try {
      this.#port.sendDelegate(id, { type: 'tool/invoke', invocation }, input);
    } catch (error) {
      reject(tooLarge(error));
      return;
    }
    this.#calls.set(id, 'tool');
    delegates.add(id, {
      answered: (result) => {
        this.#calls.delete(id);
        if (result.status === 'error') reject(result.message);
        else if (result.value.type !== 'tool/result') reject(invalidResultText);
        else this.#runner?.answer(call, true, jsonText(result.value.result));
      },
    });
  }

  /** A notification waits for room, and its cell with it; none is lost for want of it. */
  notify(text: string): void {
    this.#cell.notificationSent();
    if (this.#notifications.length > 0 || this.#port.delegates.full) {
      this.#notifications.push(text);
      if (this.#notifications.length > 1) return;
      this.#runner?.hold('notifications', true);
      this.#port.delegates.whenRoom(() => this.#notifyNext());
    } else this.#notifyNow(text);
  }

  #notifyNext(): void {
    const text = this.#notifications.shift();
    if (text !== undefined) this.#notifyNow(text);
    if (this.#notifications.length > 0) this.#port.delegates.whenRoom(() => this.#notifyNext());
    else this.#runner?.hold('notifications', false);
  }

  #notifyNow(text: string): void {
    const { delegates } = this.#port;
    const id = delegates.nextId();
    try {
      this.#port.sendDelegate(id, {
        type: 'notification/send',
        callId: this.#request.tool_call_id,
        cellId: this.#cell.id,
        text,
      });
    } catch (error) {
      this.#port.warn(notNotifiedText(tooLarge(error)));
      this.#cell.notificationAnswered();
      return;
    }
    this.#calls.set(id, 'notification');
    delegates.add(id, {
      answered: (result) => {
        this.#calls.delete(id);
        if (result.status === 'error') {
          this.#port.warn(notNotifiedText(result.message));
        } else if (result.value.type !== 'notification/delivered') {
          this.#port.warn(invalidDeliveryText);
        }
        this.#cell.notificationAnswered();
      },
    });
  }

  yieldControl(): void {
    this.#cell.yieldControl();
  }

  done(done: DonePayload): void {
    const runner = this.#runner;
    this.#runner = undefined;
    if (runner !== undefined) this.#ended(runner, done);
    this.#cell.finish(done.error);
  }

  lost(reason: string): void {
    this.#runner = undefined;
    // No code has run yet, so another runner may do it; not for ever, for it may have been the source's fault.
    if (!this.#codeRan && this.#retries < MAX_RETRIES) {
      this.#retries++;
      this.#retry();
    } else this.#cell.finish(reason);
  }
}

function jsonText(result: unknown): string {
  return result instanceof RawJson ? result.text : JSON.stringify(result);
}

/** Too long for a frame, or already for a string. */
function tooLarge(error: unknown): string {
  return error instanceof CodemodeError || error instanceof RangeError ? error.message : String(error);
}
