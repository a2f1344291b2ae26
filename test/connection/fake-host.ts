import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { PeerEnd } from '../../src/connection/bytes.js';
import { connect } from '../../src/connection/connect.js';
import type { Connection } from '../../src/connection/connection.js';
import type { Delegate, Notification, ToolCall } from '../../src/connection/delegate.js';
import type { RequestLimits } from '../../src/connection/request-limits.js';
import { CodemodeError } from '../../src/errors.js';
import {
  type ClientMessage,
  type Codec,
  type ContentItem,
  encodeFrame,
  FrameDecoder,
  type HostMessage,
  type Id,
  jsonCodec,
  type OperationValue,
  parseClientMessage,
  type RuntimeResponse,
} from '../../src/protocol/index.js';

export type Frame = ClientMessage;
type OfType<T extends Frame['type']> = Extract<Frame, { type: T }>;

/** The other end of a connection, in memory: it says what a test tells it to say, and keeps what it was sent. */
export class FakeHost {
  /** What the host writes. */
  readonly stdout = new PassThrough();
  /** What the host reads. */
  readonly stdin = new PassThrough();
  readonly ended: Promise<PeerEnd>;
  codec: Codec = jsonCodec;
  #end: (end: PeerEnd) => void = () => undefined;
  readonly #received: Frame[] = [];
  readonly #waiting: ((frame: Frame) => void)[] = [];

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const decoder = new FrameDecoder();
    this.stdin.on('data', (chunk: Uint8Array) => {
      for (const body of decoder.push(chunk)) {
        const frame = parseClientMessage(this.codec.decode(body));
        const waiting = this.#waiting.shift();
        if (waiting === undefined) this.#received.push(frame);
        else waiting(frame);
      }
    });
  }

  exit(status = 'exit status: 0', more: Partial<PeerEnd> = {}): void {
    this.#end({ status, data: { exit: status }, ...more });
  }

  /** The next frame that the client sent, which must be of this type. */
  async next<T extends Frame['type']>(type: T): Promise<OfType<T>> {
    const frame =
      this.#received.shift() ??
      (await new Promise<Frame>((resolve) => {
        this.#waiting.push(resolve);
      }));
    assert.equal(frame.type, type, JSON.stringify(frame));
    return frame as OfType<T>;
  }

  /** The next request's id. */
  async request(method: string): Promise<number> {
    const { id, request } = await this.next('operation/request');
    assert.equal(request.method, method);
    return Number(id);
  }

  /** Lets everything that is under way happen, and fails if the client has sent anything more. */
  async silence(): Promise<void> {
    await turns();
    assert.deepEqual(this.#received, []);
  }

  bytes(message: object): Buffer {
    return Buffer.concat(encodeFrame(this.codec.encode(message)));
  }

  send(...messages: HostMessage[]): void {
    this.stdout.write(Buffer.concat(messages.map((message) => this.bytes(message))));
  }

  answer(id: Id, value: OperationValue): void {
    this.send(answer(id, value));
  }

  refuse(id: Id, message: string): void {
    this.send({ type: 'operation/response', id, result: { status: 'error', message } });
  }

  /** Opens a session at both ends. */
  async open(connection: Connection, session: { id?: string; generation?: number; delegate?: Delegate } = {}) {
    const seed = { id: session.id ?? 'session-1', generation: session.generation ?? 1 };
    const opened = connection.open({ ...seed, delegate: session.delegate ?? new Recorder() });
    this.answer(await this.request('session/open'), { type: 'session/ready', sessionId: seed.id });
    await opened;
    return seed;
  }

  /** Starts a cell at both ends. */
  async start(connection: Connection, session: { id: string; generation: number }, cellId: string) {
    const executed = connection.execute(session, code);
    const id = await this.request('session/execute');
    this.answer(id, { type: 'execution/started', cellId });
    return { ...(await executed), id };
  }
}

export const code = { tool_call_id: 'call', enabled_tools: [], source: 'text(1)' };

export const answer = (id: Id, value: OperationValue): HostMessage => ({
  type: 'operation/response',
  id,
  result: { status: 'ok', value },
});

export const result = (cell_id: string, text?: string): RuntimeResponse => ({
  Result: {
    cell_id,
    content_items: items(text),
    code_mode_host_duration_ns: 2_000_000,
    error_text: null,
    result_buffered_for_ns: 0,
  },
});

export const yielded = (cell_id: string): RuntimeResponse => ({
  Yielded: { cell_id, content_items: [], code_mode_host_duration_ns: 0 },
});

const items = (text: string | undefined): ContentItem[] => (text === undefined ? [] : [{ type: 'input_text', text }]);

export const initial = (id: Id, value: RuntimeResponse): HostMessage => ({
  type: 'execute/initialResponse',
  id,
  result: { status: 'ok', value },
});

export const observed = (id: Id, cell: string): HostMessage =>
  answer(id, { type: 'wait/completed', outcome: { LiveCell: yielded(cell) } });

export const closed = (cellId: string, sessionId = 'session-1'): HostMessage => ({
  type: 'cell/closed',
  sessionId,
  cellId,
});

export const toolCall = (id: Id, cell_id: string, input: unknown = null, sessionId = 'session-1'): HostMessage => ({
  type: 'delegate/request',
  id,
  sessionId,
  request: {
    type: 'tool/invoke',
    invocation: {
      cell_id,
      runtime_tool_call_id: `tool-${id}`,
      tool_name: { name: 'tool', namespace: null },
      tool_kind: 'function',
      input,
    },
  },
});

export const notification = (id: Id, cellId: string, text: string, sessionId = 'session-1'): HostMessage => ({
  type: 'delegate/request',
  id,
  sessionId,
  request: { type: 'notification/send', callId: `call-${id}`, cellId, text },
});

/** A delegate that keeps what it is told; its tool answers with what `tool` gives. */
export class Recorder implements Delegate {
  readonly calls: ToolCall[] = [];
  readonly notes: Notification[] = [];
  readonly closed: string[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #tool: (call: ToolCall, signal: AbortSignal) => unknown;

  constructor(tool: (call: ToolCall, signal: AbortSignal) => unknown = () => 'done') {
    this.#tool = tool;
  }

  invokeTool(call: ToolCall, { signal }: { signal: AbortSignal }): unknown {
    this.calls.push(call);
    this.signals.push(signal);
    return this.#tool(call, signal);
  }

  notify(note: Notification): void {
    this.notes.push(note);
  }

  cellClosed(cellId: string): void {
    this.closed.push(cellId);
  }
}

export interface Joined {
  readonly host: FakeHost;
  readonly connection: Connection;
}

/** A host and a connection that have shaken hands. */
export async function join(
  test: TestContext,
  options: { capabilities?: string[]; limits?: Partial<RequestLimits>; host?: FakeHost; offer?: string[] } = {},
): Promise<Joined> {
  const host = options.host ?? new FakeHost();
  const connecting = connect({
    source: host.stdout,
    sink: host.stdin,
    ended: host.ended,
    offer: options.offer ?? ['msgpack-frames-v1'],
    handshakeTimeoutMs: Number.POSITIVE_INFINITY,
    limits: options.limits ?? {},
  });
  await host.next('connection/hello');
  host.send({ type: 'connection/ready', selectedVersion: 1, capabilities: options.capabilities ?? [] });
  const { connection } = await connecting;
  test.after(() => connection.close());
  return { host, connection };
}

/** Lets everything that is ready happen. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

/** The failure of a promise that must fail. */
export async function failure(promise: Promise<unknown>): Promise<CodemodeError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof CodemodeError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the promise was expected to reject' });
}

/** Resolves when the connection is dead, with the reason. */
export async function death(connection: Connection): Promise<CodemodeError> {
  if (!connection.signal.aborted) {
    await new Promise((resolve) => connection.signal.addEventListener('abort', resolve, { once: true }));
  }
  assert.ok(connection.failure !== undefined);
  return connection.failure;
}
