import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type MessageChannel, memoryChannels, RpcConnection } from '../../../src/exec-server/connection/index.js';
import { ExecServer, type ExecServerOptions } from '../../../src/exec-server/server/index.js';

export interface Params {
  readonly processId?: string;
  readonly seq?: number;
  readonly stream?: string;
  readonly chunk?: string;
  readonly exitCode?: number;
}

/** What tests look at in an answer, whatever was asked. */
export interface Result {
  readonly sessionId?: string;
  readonly protocolVersion?: string;
  readonly environmentInfo?: unknown;
  readonly processId?: string;
  readonly chunks?: readonly { readonly seq: number; readonly chunk: string }[];
  readonly nextSeq?: number;
  readonly exited?: boolean;
  readonly closed?: boolean;
  readonly failure?: string | null;
  readonly truncated?: boolean;
  readonly firstSeq?: number;
  readonly droppedBytes?: number;
  readonly running?: boolean;
  readonly status?: string;
  readonly dataBase64?: string;
  readonly chunk?: string;
  readonly isDirectory?: boolean;
  readonly isFile?: boolean;
  readonly isSymlink?: boolean;
  readonly size?: number;
  readonly modifiedAtMs?: number;
  readonly entries?: readonly { readonly fileName: string; readonly path: string }[];
  readonly path?: string;
}

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** So that a test ends at all: nothing is said about how long something takes on a busy machine. */
const LIMIT_MS = 120_000;

/** A client that knows nothing but messages, and keeps all it got in the order in which it came. */
export class Peer {
  readonly messages: Message[] = [];
  readonly #channel: MessageChannel;
  readonly #watchers = new Set<() => void>();
  #nextId = 1;
  ended = false;

  constructor(channel: MessageChannel) {
    this.#channel = channel;
    channel.start({
      message: (text) => {
        this.messages.push(JSON.parse(text) as Message);
        this.#tell();
      },
      end: () => {
        this.ended = true;
        this.#tell();
      },
    });
  }

  send(message: object): void {
    this.#channel.send(JSON.stringify(message)).catch(() => {});
  }

  /** The whole answer. */
  async ask(method: string, params?: unknown): Promise<Message> {
    const id = this.#nextId++;
    this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return await this.until(() => this.messages.find((one) => one.id === id && one.method === undefined), method);
  }

  async result(method: string, params?: unknown): Promise<Result> {
    const answer = await this.ask(method, params);
    assert.equal(answer.error, undefined, JSON.stringify(answer));
    return answer.result!;
  }

  async error(method: string, params?: unknown): Promise<{ code: number; message: string; data?: unknown }> {
    const answer = await this.ask(method, params);
    assert.ok(answer.error !== undefined, `${method} was not refused: ${JSON.stringify(answer)}`);
    return answer.error;
  }

  async handshake(params: object = { clientName: 'test' }): Promise<string> {
    const { sessionId } = await this.result('initialize', params);
    this.send({ method: 'initialized' });
    assert.ok(sessionId !== undefined);
    return sessionId;
  }

  async start(processId: string, argv: readonly string[], more: object = {}): Promise<void> {
    await this.result('process/start', startParams(processId, argv, more));
  }

  events(processId: string): Message[] {
    return this.messages.filter(({ method, params }) => method !== undefined && params?.processId === processId);
  }

  output(processId: string): string {
    return bytesOf(this.events(processId)).toString();
  }

  async seen(method: string, processId: string): Promise<Message> {
    return await this.until(
      () => this.events(processId).find((one) => one.method === method),
      `${method} of ${processId}`,
    );
  }

  closed(processId: string): Promise<Message> {
    return this.seen('process/closed', processId);
  }

  async printed(processId: string, pattern: RegExp): Promise<RegExpExecArray> {
    return await this.until(() => pattern.exec(this.output(processId)) ?? undefined, `${pattern} of ${processId}`);
  }

  async until<T>(look: () => T | undefined, what: string): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => done(() => reject(new Error(`waited in vain for ${what}`))), LIMIT_MS);
      const done = (settle: () => void): void => {
        clearTimeout(timer);
        this.#watchers.delete(watch);
        settle();
      };
      const watch = (): void => {
        const found = look();
        if (found !== undefined) done(() => resolve(found));
        else if (this.ended) done(() => reject(new Error(`the connection ended without ${what}`)));
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  /** As if the transport was lost. */
  async leave(): Promise<void> {
    await this.#channel.close();
    this.ended = true;
    this.#tell();
  }

  async end(): Promise<void> {
    await this.until(() => (this.ended ? true : undefined), 'the end').catch(() => {});
    assert.ok(this.ended);
  }

  #tell(): void {
    for (const watch of [...this.#watchers]) watch();
  }
}

export const bytesOf = (events: readonly Message[]): Buffer =>
  Buffer.concat(
    events
      .filter(({ method }) => method === 'process/output')
      .map(({ params }) => Buffer.from(params?.chunk ?? '', 'base64')),
  );

export const uri = (path: string): string => pathToFileURL(path).href;

export const PATH = '/usr/local/bin:/usr/bin:/bin';

export const startParams = (processId: string, argv: readonly string[], more: object = {}): object => ({
  processId,
  argv,
  cwd: uri('/tmp'),
  env: { PATH },
  tty: false,
  ...more,
});

export const sh = (script: string): string[] => ['/bin/sh', '-c', script];

export interface Served {
  readonly server: ExecServer;
  /** One more connection; `resumable` as over a WebSocket. */
  connect(resumable?: boolean): Peer;
  /** One that is through the handshake. */
  ready(): Promise<Peer>;
  /** Our side of all of them, in their order. */
  readonly connections: readonly RpcConnection[];
}

/** A server in this process, which ends with the test. */
export function serve(test: TestContext, options: Partial<ExecServerOptions> = {}): Served {
  const server = new ExecServer({ environment: process.env, version: '0.0.0', ...options });
  const peers: Peer[] = [];
  const connections: RpcConnection[] = [];
  test.after(async () => {
    server.close();
    await Promise.all(peers.map((peer) => peer.leave()));
  });
  const connect = (resumable = false): Peer => {
    const [ours, theirs] = memoryChannels();
    connections.push(new RpcConnection(theirs, (made) => server.handle(made, { resumable }), server.connectionOptions));
    const peer = new Peer(ours);
    peers.push(peer);
    return peer;
  };
  const ready = async (): Promise<Peer> => {
    const peer = connect();
    await peer.handshake();
    return peer;
  };
  return { server, connect, ready, connections };
}

export async function temporaryFolder(test: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'codemode-exec-test-')));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
