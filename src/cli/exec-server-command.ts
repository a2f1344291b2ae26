import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CodemodeError } from '../errors.js';
import {
  authFromSecretFile,
  authFromTokenDigest,
  authFromTokenFile,
  listenWebSocket,
  type MessageChannel,
  RpcConnection,
  stdioChannel,
  type WebSocketAuth,
} from '../exec-server/connection/index.js';
import { ExecServer, shuttingDownText } from '../exec-server/server/index.js';
import { fileProblem } from '../names/file-problem.js';
import { endOfFileWork } from '../process/file-work.js';
import type { InheritedFiles } from '../process/inherited-files.js';
import { type AuthArguments, type ExecServerArguments, parseExecServerArguments } from './exec-server-arguments.js';
import { framesOf } from './exec-server-frames.js';
import {
  badTokenFileText,
  emptyTokenText,
  execServerHelp,
  lostConnectionText,
  openToAllText,
  stdioPeer,
  usageHintText,
} from './exec-server-messages.js';
import { exitCodes } from './exit-code.js';
import { whatWasThrown } from './failure.js';
import { errorLine } from './messages.js';
import { oneLine, printable } from './printable.js';
import { UsageError } from './usage-error.js';
import { version } from './version.js';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** How long the last words may take. */
const SHUTDOWN_MS = 1_000;
/** WebSocket close code: the server goes away. */
const GOING_AWAY = 1001;

/** The whole of `codemode-run exec-server`; ends the process. */
export async function runExecServer(argv: readonly string[], inherited: InheritedFiles): Promise<never> {
  try {
    const parsed = parseExecServerArguments(argv);
    if (parsed.command !== 'exec-server') {
      await written(process.stdout, `${parsed.command === 'help' ? execServerHelp : version}\n`);
      process.exit(exitCodes.completed);
    }
    const signal = await new Program(parsed, inherited).run();
    await endOfFileWork(signal);
    process.exit(exitCodes.completed);
  } catch (error) {
    const usage = error instanceof UsageError;
    const ours = error instanceof Error && isOurs(error);
    const lines = [errorLine(ours ? error.message : whatWasThrown(error)), ...(ours ? [] : framesOf(error))];
    await written(process.stderr, `${shown(lines)}${usage ? `${usageHintText}\n` : ''}`);
    await endOfFileWork();
    process.exit(usage ? exitCodes.usage : exitCodes.failed);
  }
}

const isOurs = (error: Error): boolean => error instanceof UsageError || error instanceof CodemodeError;

class Program {
  readonly #args: ExecServerArguments;
  readonly #inherited: InheritedFiles;
  readonly #connections = new Set<RpcConnection>();
  #server: ExecServer | undefined;

  constructor(args: ExecServerArguments, inherited: InheritedFiles) {
    this.#args = args;
    this.#inherited = inherited;
  }

  /** Resolves when there is nobody left to serve, or with the signal that has come. */
  async run(): Promise<NodeJS.Signals | undefined> {
    const stopped = new Promise<NodeJS.Signals>((done) => {
      for (const signal of SIGNALS) process.on(signal, () => done(signal));
    });
    // A client that stops reading ends its own connection, and nothing else.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    const { listen } = this.#args;
    // A file that never gives what is in it must not keep us from a signal.
    const secrets = await Promise.race([stopped, this.#readSecrets()]);
    if (typeof secrets === 'string') return secrets;
    const { auth, authToken } = secrets;
    const server = new ExecServer({
      environment: process.env,
      version,
      authToken,
      acceptNativePaths: this.#args.acceptNativePaths,
      detachedTtlMs: this.#args.detachedTtlMs,
      concurrentRequests: this.#args.concurrentRequests,
      markProcesses: this.#args.markProcesses,
    });
    this.#server = server;
    // What was given to us as a descriptor has been read: nothing of it is our children's.
    this.#inherited.close();
    process.on('uncaughtException', (error) => {
      log(whatWasThrown(error), framesOf(error));
      server.close();
      void endOfFileWork().finally(() => process.exit(exitCodes.failed));
    });
    if (listen.kind === 'stdio') {
      const signal = await Promise.race([stopped, this.#serve(stdioChannel(), stdioPeer, false)]);
      await this.#shutDown();
      return signal ?? undefined;
    }
    const listener = await listenWebSocket({
      host: listen.host,
      port: listen.port,
      auth,
      onConnection: (channel, peer) => void this.#serve(channel, peer, true),
    });
    if (!listener.loopback && auth.mode === 'none' && this.#args.authTokenFile === undefined) {
      log(openToAllText(listener.url));
    }
    process.stdout.write(`${listener.url}\n`);
    const signal = await stopped;
    await Promise.all([listener.close(), this.#shutDown()]);
    return signal;
  }

  async #readSecrets(): Promise<{ readonly auth: WebSocketAuth; readonly authToken: string | undefined }> {
    return { auth: await readAuth(this.#args.auth), authToken: await readToken(this.#args.authTokenFile) };
  }

  /** Until the connection is over. */
  async #serve(channel: MessageChannel, peer: string, resumable: boolean): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const connection = new RpcConnection(
      channel,
      (made) => server.handle(made, { resumable }),
      server.connectionOptions,
    );
    this.#connections.add(connection);
    await new Promise<void>((done) => {
      connection.signal.addEventListener('abort', () => done(), { once: true });
      if (connection.signal.aborted) done();
    });
    this.#connections.delete(connection);
    const reason: unknown = connection.signal.reason;
    if (reason instanceof CodemodeError && reason.code === 'protocol-error') {
      log(lostConnectionText(peer, reason.message));
    }
    await connection.close().catch(() => {});
  }

  /** Everything that was started is dead when this has returned for the first time. */
  async #shutDown(): Promise<void> {
    this.#server?.close();
    const reason = new CodemodeError('connection-closed', shuttingDownText);
    const closing = [...this.#connections].map((connection) => connection.close(reason, GOING_AWAY).catch(() => {}));
    await Promise.race([Promise.all(closing), new Promise((done) => setTimeout(done, SHUTDOWN_MS))]);
  }
}

async function readAuth(auth: AuthArguments): Promise<WebSocketAuth> {
  if (auth.mode === 'none') return auth;
  if (auth.mode === 'capability-token') {
    return auth.digest === undefined
      ? await authFromTokenFile(resolve(auth.file ?? ''))
      : authFromTokenDigest(auth.digest);
  }
  const { issuer, audience, skewSeconds: maxClockSkewSeconds } = auth;
  return await authFromSecretFile(resolve(auth.file), { issuer, audience, maxClockSkewSeconds });
}

async function readToken(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(file);
  try {
    const token = (await readFile(path, 'utf8')).trim();
    if (token === '') throw new Error(emptyTokenText);
    return token;
  } catch (error) {
    const message = badTokenFileText(file, fileProblem(file, path, error));
    throw new CodemodeError('invalid-argument', message, { cause: error });
  }
}

function log(line: string, more: readonly string[] = []): void {
  process.stderr.write(shown([errorLine(`exec-server: ${line}`), ...more]));
}

const shown = (lines: readonly string[]): string => lines.map((line) => `${printable(oneLine(line))}\n`).join('');

const written = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((done) => {
    stream.on('error', () => done());
    stream.write(text, () => done());
  });
