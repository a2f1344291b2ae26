import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { jsonCodec } from '../../src/protocol/codec.js';
import { encodeFrame, FrameDecoder } from '../../src/protocol/frame.js';
import type {
  CellResult,
  ClientMessage,
  HostMessage,
  OutputTruncation,
  RuntimeResponse,
  ToolDefinition,
  WaitOutcome,
} from '../../src/protocol/message.js';
import { groupIsGone } from './processes.js';

export const hostProgram = fileURLToPath(new URL('../../../bin/codemode-host.js', import.meta.url));

type Kind<T extends HostMessage['type']> = HostMessage & { readonly type: T };
type Delegated = Kind<'delegate/request'>;

/** A tool's answer: a value, or what it throws. */
export type Answer = (input: unknown, name: string) => unknown;

export interface ExecuteOptions {
  readonly session?: string;
  readonly tools?: readonly string[];
  readonly yieldMs?: number | null;
  readonly maxTokens?: number;
  readonly answer?: Answer;
}

const running = new Set<ChildProcess>();

// A test that fails may leave its host open; the file must end all the same.
after(() => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

/** A V1 client that keeps to the protocol by hand, in order to test a host: every message is kept, in order. */
export class V1Client {
  readonly child: ChildProcess;
  readonly messages: HostMessage[] = [];
  stderr = '';
  answer: Answer = (input) => input;
  readonly #decoder = new FrameDecoder();
  readonly #exit: Promise<[number | null, NodeJS.Signals | null]>;
  #waiters: (() => void)[] = [];
  #lastId = 0;

  constructor(env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [hostProgram], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    running.add(this.child);
    this.child.once('exit', () => running.delete(this.child));
    this.#exit = once(this.child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    this.child.stdin?.on('error', () => {});
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
    });
    this.child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    this.child.stdout?.on('close', () => this.#wake());
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  send(message: ClientMessage): void {
    for (const part of encodeFrame(jsonCodec.encode(message))) this.child.stdin?.write(part);
  }

  nextId(): number {
    return ++this.#lastId;
  }

  async hello(capabilities: readonly string[] = []): Promise<HostMessage> {
    this.send({
      type: 'connection/hello',
      supportedVersions: [1],
      requiredCapabilities: [],
      optionalCapabilities: [...capabilities],
    });
    return this.find((message) => message.type === 'connection/ready' || message.type === 'connection/rejected');
  }

  async open(
    sessionId = 's',
    more: { maxHeapSizeBytes?: number; maxYieldTimeMs?: number; truncation?: OutputTruncation } = {},
  ) {
    const { truncation, ...cellExecutionLimits } = more;
    const id = this.nextId();
    const outputTruncation = truncation ?? null;
    this.send({
      type: 'operation/request',
      id,
      request: { method: 'session/open', sessionId, cellExecutionLimits, outputTruncation },
    });
    return this.response(id);
  }

  /** Greets, and opens session `s`. */
  static async start(more: Parameters<V1Client['open']>[1] = {}, env: Record<string, string> = {}): Promise<V1Client> {
    const client = new V1Client(env);
    await client.hello();
    await client.open('s', more);
    return client;
  }

  /** Sends an execute request; the id is also that of the initial response. */
  execute(source: string, options: ExecuteOptions = {}): number {
    const id = this.nextId();
    const tools = (options.tools ?? []).map(tool);
    if (options.answer !== undefined) this.answer = options.answer;
    const request = {
      tool_call_id: `call-${id}`,
      enabled_tools: tools,
      source,
      yield_time_ms: options.yieldMs === undefined ? 60_000 : options.yieldMs,
      max_output_tokens: options.maxTokens ?? null,
    };
    const sessionId = options.session ?? 's';
    this.send({ type: 'operation/request', id, request: { method: 'session/execute', sessionId, request } });
    return id;
  }

  /** Runs a cell to its end. */
  async run(source: string, options: ExecuteOptions = {}): Promise<CellResult> {
    const response = await this.initial(this.execute(source, options));
    if (!('Result' in response)) throw new Error(`not a result: ${JSON.stringify(response)}`);
    return response.Result;
  }

  /** The texts of a cell that must complete. */
  async texts(source: string, options: ExecuteOptions = {}): Promise<string[]> {
    const result = await this.run(source, options);
    if (result.error_text !== null) throw new Error(result.error_text);
    return result.content_items.map((item) => (item.type === 'input_text' ? item.text : item.type));
  }

  async wait(cellId: string, yieldMs: number, session = 's'): Promise<WaitOutcome> {
    const id = this.nextId();
    const request = { cell_id: cellId, yield_time_ms: yieldMs };
    this.send({ type: 'operation/request', id, request: { method: 'session/wait', sessionId: session, request } });
    return this.outcome(id);
  }

  async terminate(cellId: string, session = 's'): Promise<WaitOutcome> {
    const id = this.nextId();
    this.send({ type: 'operation/request', id, request: { method: 'session/terminate', sessionId: session, cellId } });
    return this.outcome(id);
  }

  async outcome(id: number): Promise<WaitOutcome> {
    const { result } = await this.response(id);
    if (result.status !== 'ok' || result.value.type !== 'wait/completed') throw new Error(JSON.stringify(result));
    return result.value.outcome;
  }

  async initial(id: number): Promise<RuntimeResponse> {
    const { result } = (await this.find(
      (message) => message.type === 'execute/initialResponse' && message.id === id,
    )) as Kind<'execute/initialResponse'>;
    if (result.status === 'error') throw new Error(result.message);
    return result.value;
  }

  response(id: number): Promise<Kind<'operation/response'>> {
    return this.find((message) => message.type === 'operation/response' && message.id === id) as Promise<
      Kind<'operation/response'>
    >;
  }

  /** The first message, past or to come, that the predicate accepts. */
  async find(predicate: (message: HostMessage) => boolean): Promise<HostMessage> {
    for (;;) {
      const found = this.messages.find(predicate);
      if (found !== undefined) return found;
      if (this.child.stdout?.closed) throw new Error(`the host has ended: ${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  async exit(): Promise<number | NodeJS.Signals | null> {
    const [code, signal] = await this.#exit;
    return signal ?? code;
  }

  /** Closes the host's input and proves that nothing of it is left. */
  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.#exit;
    await groupIsGone(this.pid);
  }

  #take(chunk: Buffer): void {
    for (const body of this.#decoder.push(chunk)) {
      const message = jsonCodec.decode(body) as HostMessage;
      this.messages.push(message);
      if (message.type === 'delegate/request') void this.#delegate(message);
    }
    this.#wake();
  }

  async #delegate({ id, request }: Delegated): Promise<void> {
    const reply = (result: (ClientMessage & { type: 'delegate/response' })['result']) =>
      this.send({ type: 'delegate/response', id, result });
    if (request.type === 'notification/send') {
      reply({ status: 'ok', value: { type: 'notification/delivered' } });
      return;
    }
    try {
      const result = await this.answer(request.invocation.input, request.invocation.tool_name.name);
      reply({ status: 'ok', value: { type: 'tool/result', result: result ?? null } });
    } catch (error) {
      reply({ status: 'error', message: error instanceof Error ? error.message : String(error) });
    }
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}

function tool(name: string): ToolDefinition {
  return { name, tool_name: { name, namespace: null }, description: `about ${name}`, kind: 'function' };
}
