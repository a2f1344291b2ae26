import type { TestContext } from 'node:test';
import { type EnvironmentInfo, ExecServerClient } from '../../../src/exec-server/client/index.js';
import {
  type ListenOptions,
  listenWebSocket,
  type RequestContext,
  RpcConnection,
  type RpcConnectionOptions,
  type WebSocketListener,
} from '../../../src/exec-server/connection/index.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';

export interface Call {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly connection: RpcConnection;
  readonly context: RequestContext;
}

export type Method = (call: Call) => unknown;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A server whose answers are those of the test; it shakes hands by itself, and remembers what it was asked. */
export class ScriptedHost {
  readonly connectionOptions: RpcConnectionOptions = { role: 'server' };
  readonly connections: RpcConnection[] = [];
  readonly calls: Call[] = [];
  readonly methods: { [name: string]: Method };
  notifications = 0;
  /** Connections that are not closed. */
  open = 0;
  #watchers: (() => void)[] = [];

  constructor(methods: { readonly [name: string]: Method } = {}) {
    this.methods = {
      initialize: () => ({ sessionId: 's', environmentInfo: { platformOs: 'linux' } }),
      'process/start': ({ params }) => ({ processId: params.processId }),
      'process/terminate': () => ({ running: true }),
      ...methods,
    };
  }

  handle(connection: RpcConnection) {
    this.connections.push(connection);
    this.open++;
    return {
      request: async (method: string, params: unknown, context: RequestContext) => {
        const call = { method, params: params as Call['params'], connection, context };
        this.calls.push(call);
        this.#changed();
        const answer = this.methods[method];
        if (answer === undefined) throw new RpcError(-32601, `unknown ${method}`);
        return await answer(call);
      },
      notification: () => {
        this.notifications++;
        this.#changed();
      },
      closed: () => {
        this.open--;
        this.#changed();
      },
    };
  }

  /** For its type: it is not asked. */
  environmentInfo(): EnvironmentInfo {
    return {};
  }

  close(): void {
    for (const connection of this.connections) connection.close().catch(() => {});
  }

  get connection(): RpcConnection {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error('nobody connected');
    return last;
  }

  /** Resolves with the first call of this method, or the one behind `skip` others. */
  async called(method: string, skip = 0): Promise<Call> {
    for (;;) {
      const found = this.calls.filter((call) => call.method === method)[skip];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  output(processId: string, seq: number, text: string, stream = 'stdout'): Promise<void> {
    return this.connection.notify('process/output', { processId, seq, stream, chunk: base64(text) });
  }

  exited(processId: string, seq: number, exitCode = 0): Promise<void> {
    return this.connection.notify('process/exited', { processId, seq, exitCode, sandboxDenied: false });
  }

  closed(processId: string, seq: number): Promise<void> {
    return this.connection.notify('process/closed', { processId, seq });
  }

  /** Serves it over WebSocket until the test ends. */
  async listen(test: TestContext, options: Partial<ListenOptions> = {}): Promise<WebSocketListener> {
    const listener = await listenWebSocket({
      host: '127.0.0.1',
      port: 0,
      auth: { mode: 'none' },
      onConnection: (channel) => {
        new RpcConnection(channel, (connection) => this.handle(connection), this.connectionOptions);
      },
      ...options,
    });
    test.after(async () => {
      await Promise.all(this.connections.map((connection) => connection.close()));
      await listener.close();
    });
    return listener;
  }

  #changed(): void {
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const watcher of watchers) watcher();
  }
}

/** A result of `process/read`. */
export function readAnswer(chunks: readonly (readonly [seq: number, text: string])[], more: object) {
  return {
    chunks: chunks.map(([seq, text]) => ({ seq, stream: 'stdout', chunk: base64(text) })),
    exited: false,
    exitCode: null,
    closed: false,
    failure: null,
    sandboxDenied: false,
    ...more,
  };
}

/** A server of the test and a client of it, in this process. */
export async function connected(methods: { readonly [name: string]: Method } = {}, options: object = {}) {
  const host = new ScriptedHost(methods);
  const client = await ExecServerClient.connectInProcess({ server: host, ...options });
  return { host, client };
}

export const echo = { argv: ['echo'], cwd: '/tmp' };
