import { fileURLToPath } from 'node:url';
import { ExecServerClient } from '../exec-server/client/index.js';
import { ExecServer } from '../exec-server/server/index.js';
import { execTools } from '../tools/exec/tools.js';
import type { Tool } from '../tools/tool.js';
import type { ToolArguments } from './arguments.js';
import { version } from './version.js';

/** Not an option, so that it is in no list of processes. */
const TOKEN_VARIABLE = 'CODEMODE_EXEC_SERVER_TOKEN';

export interface OpenedTools extends AsyncDisposable {
  readonly tools: readonly Tool[];
}

/** The tools of `--exec` and `--exec-server`. What their commands have started ends with them. */
export async function openExecTools(exec: NonNullable<ToolArguments['exec']>, cwd: string): Promise<OpenedTools> {
  if (exec.kind === 'here') {
    const server = new ExecServer({ environment: process.env, version });
    const client = await ExecServerClient.connectInProcess({ server });
    const close = async (): Promise<void> => {
      server.close();
      await client.close();
    };
    return { tools: execTools(client, { cwd }), [Symbol.asyncDispose]: close };
  }
  const token = process.env[TOKEN_VARIABLE];
  const given = token === undefined ? {} : { token, authToken: token };
  const client = await ExecServerClient.connectWebSocket({ url: exec.url, ...given });
  const { cwd: remote } = await client.environmentInfo();
  return { tools: execTools(client, { cwd: nativePath(remote ?? '/') }), [Symbol.asyncDispose]: () => client.close() };
}

/** A server on another kind of system has paths that are none here; then the URI stands for it. */
function nativePath(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
