import { HostWire, type Json, type Message } from './host-wire.js';

export const tool = (name: string, more: Json = {}): Json => ({
  name,
  tool_name: { name, namespace: null },
  description: `about ${name}`,
  kind: 'function',
  ...more,
});

export interface ExecuteOptions {
  readonly session?: string;
  readonly tools?: readonly Json[];
  readonly yieldMs?: number | null;
  readonly maxTokens?: number | null;
  readonly callId?: string;
  readonly more?: Json;
}

/** A host under test, and words for talking to it. */
export class TestedHost extends HostWire {
  // ------ saying

  request(id: number, method: string, more: Json): this {
    return this.send({ type: 'operation/request', id, request: { method: `session/${method}`, ...more } });
  }

  execute(id: number, source: string, options: ExecuteOptions = {}): this {
    const { session = 's1', tools = [], yieldMs = 20_000, maxTokens = null, callId = `call-${id}`, more } = options;
    const limits = { yield_time_ms: yieldMs, max_output_tokens: maxTokens };
    const request = { tool_call_id: callId, enabled_tools: tools, source, ...limits, ...more };
    return this.request(id, 'execute', { sessionId: session, request });
  }

  result(id: number, result: unknown): this {
    return this.#answer(id, { status: 'ok', value: { type: 'tool/result', result } });
  }

  failure(id: number, message: string): this {
    return this.#answer(id, { status: 'error', message });
  }

  delivered(id: number): this {
    return this.#answer(id, { status: 'ok', value: { type: 'notification/delivered' } });
  }

  // ------ hearing

  hello(offer: { versions?: readonly unknown[]; required?: readonly string[]; optional?: readonly string[] } = {}) {
    const { versions = [1], required = [], optional = [] } = offer;
    const lists = { supportedVersions: versions, requiredCapabilities: required, optionalCapabilities: optional };
    this.send({ type: 'connection/hello', ...lists });
    return this.heard('an answer to hello', ({ type }) => type.startsWith('connection/'));
  }

  open(sessionId: string, id: number, more: Json = {}): Promise<Message> {
    return this.request(id, 'open', { sessionId, ...more }).response(id);
  }

  response(id: number): Promise<Message> {
    return this.heard(`a response to ${id}`, (message) => message.type === 'operation/response' && message.id === id);
  }

  initial(id: number): Promise<Message> {
    return this.heard(`an initial response to ${id}`, ({ type, id: its }) => {
      return type === 'execute/initialResponse' && its === id;
    });
  }

  /** The observation with which an execute is first answered: `{kind, texts, ...fields}`. */
  async first(id: number): Promise<Message> {
    const { result } = await this.initial(id);
    if (result.status !== 'ok') throw new Error(`an error: ${result.message}`);
    return observation(result.value);
  }

  /** Runs a cell to its first answer. */
  run(id: number, source: string, options: ExecuteOptions = {}): Promise<Message> {
    return this.execute(id, source, options).first(id);
  }

  async started(id: number): Promise<string> {
    const { result } = await this.response(id);
    if (result.status !== 'ok') throw new Error(`not started: ${result.message}`);
    return result.value.cellId;
  }

  /** The observation that a wait or a terminate is answered with, with `where` for live or missing. */
  async outcome(id: number): Promise<Message> {
    const { result } = await this.response(id);
    if (result.status !== 'ok') throw new Error(`an error: ${result.message}`);
    const [[where, value]] = Object.entries(result.value.outcome) as [[string, Message]];
    return { where, ...observation(value) };
  }

  async refusal(id: number): Promise<string> {
    const { result } = await this.response(id);
    if (result.status !== 'error') throw new Error(`no error: ${JSON.stringify(result)}`);
    return result.message;
  }

  wait(id: number, yieldMs: number, cellId = '1', more: Json = {}): Promise<Message> {
    return this.sendWait(id, yieldMs, cellId, more).outcome(id);
  }

  sendWait(id: number, yieldMs: number, cellId = '1', more: Json = {}): this {
    return this.request(id, 'wait', { sessionId: 's1', request: { cell_id: cellId, yield_time_ms: yieldMs }, ...more });
  }

  terminate(id: number, cellId = '1', more: Json = {}): Promise<Message> {
    return this.request(id, 'terminate', { sessionId: 's1', cellId, ...more }).outcome(id);
  }

  /** Resolves when the host has taken up what was sent before: requests run side by side, but are read in order. */
  async taken(id: number): Promise<void> {
    await this.open(`after-${id}`, id);
  }

  shutdown(id: number, sessionId = 's1'): Promise<Message> {
    return this.request(id, 'shutdown', { sessionId }).response(id);
  }

  /** The delegate request with this id. */
  asked(id: number): Promise<Message> {
    return this.heard(`delegate request ${id}`, (message) => message.type === 'delegate/request' && message.id === id);
  }

  cancelled(id: number): Promise<Message> {
    return this.heard(`cancel of ${id}`, (message) => message.type === 'delegate/cancel' && message.id === id);
  }

  closed(cellId = '1'): Promise<Message> {
    return this.heard(`the end of cell ${cellId}`, (message) => {
      return message.type === 'cell/closed' && message.cellId === cellId;
    });
  }

  #answer(id: number, result: Json): this {
    return this.send({ type: 'delegate/response', id, result });
  }
}

/** `{Kind: fields}` as `{kind, ...fields, texts}`. */
function observation(value: Message): Message {
  const [[kind, fields]] = Object.entries(value) as [[string, Message]];
  return {
    kind,
    fields: Object.keys(fields).sort(),
    ...fields,
    texts: fields.content_items.map((i: Message) => i.text),
  };
}
