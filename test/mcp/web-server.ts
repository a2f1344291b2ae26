import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { HttpServerConfig } from '../../src/mcp/index.js';

export interface WebServer {
  readonly config: HttpServerConfig;
  /** `POST initialize`, `GET`, … in the order in which they came. */
  readonly requests: string[];
  /** The connections that are open now. The server ends none of its own accord. */
  readonly sockets: ReadonlySet<Socket>;
  stop(): Promise<void>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: unknown) => unknown;

/** A server on loopback that is gone after the test. */
export async function webServer(test: TestContext, handle: Handler): Promise<WebServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const body = text === '' ? undefined : (JSON.parse(text) as { method?: string });
      requests.push([request.method, body?.method].filter(Boolean).join(' '));
      void handle(request, response, body);
    });
  });
  server.keepAliveTimeout = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  test.after(stop);
  const { port } = server.address() as AddressInfo;
  const config: HttpServerConfig = {
    name: 'web',
    kind: 'http',
    url: `http://127.0.0.1:${port}/mcp?key=hush`,
    headers: {},
  };
  return { config, requests, sockets, stop };
}

export interface SdkServerOptions {
  readonly json?: boolean;
  readonly define: (server: McpServer) => void;
}

/** Answers as the server side of the reference implementation does, with sessions. */
export function sdkHandler({ json = false, define }: SdkServerOptions): Handler {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    assert.ok(!Array.isArray(id));
    let transport = id === undefined ? undefined : sessions.get(id);
    if (transport === undefined && id !== undefined) return response.writeHead(404).end('no such session');
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: json,
        onsessioninitialized: (session) => void sessions.set(session, transport as StreamableHTTPServerTransport),
        onsessionclosed: (session) => void sessions.delete(session),
      });
      const server = new McpServer(
        { name: 'web', version: '9' },
        { instructions: 'On the web.', capabilities: { logging: {} } },
      );
      define(server);
      // The types of the package do not agree with exactOptionalPropertyTypes.
      await server.connect(transport as Parameters<McpServer['connect']>[0]);
    }
    return await transport.handleRequest(request, response, body);
  };
}
