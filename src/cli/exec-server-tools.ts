import { fileURLToPath } from 'node:url';
import { CodemodeError } from '../errors.js';
import { ExecServerClient } from '../exec-server/client/index.js';
import { ExecServer } from '../exec-server/server/index.js';
import { execTools } from '../tools/exec/tools.js';
import type { Tool } from '../tools/tool.js';
import type { ToolArguments } from './arguments.js';
import { badTokenText } from './messages.js';
import { version } from './version.js';

/** Not an option, so that it is in no list of processes. */
const TOKEN_VARIABLE = 'CODEMODE_EXEC_SERVER_TOKEN';
/** How long a server may take to say where it is. */
const INFO_MS = 10_000;

export interface OpenedTools extends AsyncDisposable {
  readonly tools: readonly Tool[];
}

export interface OpenExecOptions {
  readonly cwd: string;
  /** Gives up the opening, after which nothing of it is left; of no effect later. */
  readonly signal: AbortSignal;
}

/**
 * The tools of `--exec` and `--exec-server`. What their commands have started ends with them. Rejects as connecting does,
 * with `operation-timeout` for a server that does not say where it is, and with `cancelled`.
 */
export async function openExecTools(
  exec: NonNullable<ToolArguments['exec']>,
  { cwd, signal }: OpenExecOptions,
): Promise<OpenedTools> {
  if (exec.kind === 'here') return await openHere(cwd, signal);
  const client = await connected(exec.url, signal);
  try {
    const { cwd: remote } = await client.environmentInfo({ signal, timeoutMs: INFO_MS });
    return {
      tools: execTools(client, { cwd: nativePath(remote ?? '/') }),
      [Symbol.asyncDispose]: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function openHere(cwd: string, signal: AbortSignal): Promise<OpenedTools> {
  const server = new ExecServer({ environment: process.env, version });
  try {
    const client = await ExecServerClient.connectInProcess({ server, signal });
    const close = async (): Promise<void> => {
      server.close();
      await client.close();
    };
    return { tools: execTools(client, { cwd }), [Symbol.asyncDispose]: close };
  } catch (error) {
    server.close();
    throw error;
  }
}

async function connected(url: string, signal: AbortSignal): Promise<ExecServerClient> {
  const token = process.env[TOKEN_VARIABLE];
  const given = token === undefined ? {} : { token, authToken: token };
  try {
    return await ExecServerClient.connectWebSocket({ url, signal, ...given });
  } catch (error) {
    if (!(error instanceof CodemodeError) || error.data.option !== 'token') throw error;
    throw new CodemodeError('invalid-argument', badTokenText(TOKEN_VARIABLE), { cause: error, data: { url } });
  }
}

/** A server on another kind of system has paths that are none here; then the URI stands for it. */
function nativePath(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
