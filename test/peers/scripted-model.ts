import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What a model says in one turn: calls, or a last word. */
export type Turn =
  | { readonly say: string }
  | { readonly exec: string }
  | { readonly wait: { readonly cell_id: string; readonly yield_time_ms: number; readonly max_tokens?: number } };

/** A request, as far as we look into it. */
interface ModelRequest {
  readonly input: readonly {
    readonly type: string;
    readonly call_id?: string;
    readonly output?: unknown;
  }[];
}

/** A stand-in for a model, on loopback: it says what it is told to, and keeps what it hears. */
export class ScriptedModel {
  readonly #turns: Turn[];
  readonly #requests: ModelRequest[] = [];
  readonly #watchers = new Set<() => void>();
  #port = 0;

  private constructor(turns: readonly Turn[]) {
    this.#turns = [...turns];
  }

  static async start(test: TestContext, ...turns: readonly Turn[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(turns);
    const server = createServer((request, response) => void model.#serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    model.#port = (server.address() as AddressInfo).port;
    test.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  get asked(): number {
    return this.#requests.length;
  }

  /** What the calls of turn `n`, from 0, have come to; notifications of a cell are outputs of its call as well. */
  outputs(turn: number): unknown[] {
    const last = this.#requests.at(-1)?.input ?? [];
    return last
      .filter(({ type, call_id }) => type.endsWith('_output') && call_id === callId(turn))
      .map((i) => i.output);
  }

  /** The text of what the first output of a turn's call holds. */
  text(turn: number): string {
    return textOf(this.outputs(turn)[0]);
  }

  /** Whatever was said to the model last, as text. */
  get lastInput(): string {
    return JSON.stringify(this.#requests.at(-1)?.input);
  }

  /** Resolves when the model has been asked this many times. */
  async isAsked(times: number): Promise<void> {
    while (this.#requests.length < times) await new Promise<void>((resolve) => this.#watchers.add(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.url?.endsWith('/responses') !== true) {
      response.writeHead(404).end('{}');
      return;
    }
    const turn = this.#requests.length;
    this.#requests.push(JSON.parse(body) as ModelRequest);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const id = `response-${turn}`;
    const event = (type: string, more: object): void => {
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
    };
    event('response.created', { response: { id } });
    event('response.output_item.done', { item: itemOf(this.#turns[turn] ?? { say: 'nothing more' }, turn) });
    const none = { input_tokens_details: null, output_tokens_details: null };
    event('response.completed', {
      response: { id, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...none } },
    });
    response.end();
    for (const watcher of [...this.#watchers]) watcher();
    this.#watchers.clear();
  }
}

const callId = (turn: number): string => `call_${turn}`;

function itemOf(turn: Turn, number: number): object {
  const ids = { id: `item_${number}`, call_id: callId(number) };
  if ('exec' in turn) return { type: 'custom_tool_call', ...ids, name: 'exec', input: turn.exec };
  if ('wait' in turn) return { type: 'function_call', ...ids, name: 'wait', arguments: JSON.stringify(turn.wait) };
  return { type: 'message', role: 'assistant', id: ids.id, content: [{ type: 'output_text', text: turn.say }] };
}

/** The texts of an output, without the heading, which holds a time. */
export function textOf(output: unknown): string {
  const items = typeof output === 'string' ? [{ text: output }] : ((output ?? []) as { text?: string }[]);
  return items.map(({ text }) => text ?? '').join('\n');
}
