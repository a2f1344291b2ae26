import type { Channel, ChannelEvents, RpcMessage } from '../../src/mcp/channel.js';
import { ownClientInfo } from '../../src/mcp/client-info.js';
import type { McpEvent } from '../../src/mcp/index.js';
import { McpServer, type ServerContext } from '../../src/mcp/mcp-server.js';
import { ServerFault } from '../../src/mcp/server-fault.js';

/** What the other side does when it gets a message. */
export type Script = (message: RpcMessage, events: ChannelEvents) => unknown;

/** The answers of a server with one tool; `more` comes first, and what it gives, unless undefined, is the result. */
export const answering =
  (more: Readonly<Record<string, (message: RpcMessage, events: ChannelEvents) => unknown>> = {}): Script =>
  (message, events) => {
    const method = String(message.method);
    const result = more[method]?.(message, events) ?? (method in more ? undefined : results[method]);
    if (result !== undefined) events.message({ jsonrpc: '2.0', id: message.id, result });
  };

export const greeting = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: {} };
const results: Readonly<Record<string, unknown>> = {
  initialize: greeting,
  'tools/list': { tools: [{ name: 'work', inputSchema: {} }] },
  'tools/call': { content: [] },
};

export interface Scripted {
  readonly sent: RpcMessage[];
  readonly events: McpEvent[];
  /** What the channel tells the server, there as soon as it was opened. */
  tell(): ChannelEvents;
  start(context?: Partial<ServerContext>): Promise<McpServer>;
}

/** A server of which we only have the channel, without a process or a socket: it does what the script says, in the same tick. */
export function scripted(script: Script): Scripted {
  const sent: RpcMessage[] = [];
  const events: McpEvent[] = [];
  let told: ChannelEvents | undefined;
  const tell = (): ChannelEvents => {
    if (told === undefined) throw new Error('not opened');
    return told;
  };
  const channel: Channel = {
    async send(message) {
      sent.push(message);
      script(message, tell());
    },
    forget() {},
    agreed() {},
    giveUp: (reason) => tell().ended(new ServerFault(reason)),
    async close() {},
    facts: () => ({ text: '', data: {} }),
  };
  const start: Scripted['start'] = (context = {}) =>
    McpServer.start(
      { name: 's', kind: 'stdio', command: 'none', args: [], env: {} },
      {
        timeoutMs: 10_000,
        clientInfo: ownClientInfo,
        emit: (event) => events.push(event),
        signal: new AbortController().signal,
        ...context,
      },
      async (_config, options) => {
        told = options.events;
        return channel;
      },
    );
  return { sent, events, tell, start };
}
