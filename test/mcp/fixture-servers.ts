import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CodemodeError } from '../../src/errors.js';
import { type McpEvent, type McpOptions, type McpServerConfig, McpServers } from '../../src/mcp/index.js';
import type { Tool, ToolProgress } from '../../src/tools/tool.js';
import { killMarked, MARK, markedProcesses } from '../support/marked-processes.js';
import { eventually } from '../support/processes.js';

const folder = new URL('../../../test/mcp/servers/', import.meta.url);

/** A server from the folder of fixtures, which is called as its file is. */
export const fixture = (name: string, ...args: string[]): McpServerConfig & { kind: 'stdio' } => ({
  name,
  kind: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL(`${name}.mjs`, folder)), ...args],
  env: {},
});

export interface Bench {
  readonly events: McpEvent[];
  connect(configs: readonly McpServerConfig[], options?: Partial<McpOptions>): Promise<McpServers>;
  /** The one error with which connecting fails; by then no process is left. */
  fails(configs: readonly McpServerConfig[], options?: Partial<McpOptions>): Promise<CodemodeError>;
  /** Fails when a process of this test still runs. */
  nothingLeft(): void;
  running(): number;
}

/** Marks all processes of a test, which fails when one of them is left behind. */
export function bench(test: TestContext): Bench {
  const mark = randomUUID();
  const events: McpEvent[] = [];
  const open: McpServers[] = [];
  const nothingLeft = (): void => assert.deepEqual(markedProcesses(mark), []);
  const connect: Bench['connect'] = async (configs, options = {}) => {
    const servers = await McpServers.connect(configs, {
      environment: { ...process.env, [MARK]: mark },
      onEvent: (event) => events.push(event),
      ...options,
    });
    open.push(servers);
    return servers;
  };
  test.after(async () => {
    try {
      await Promise.all(open.map((servers) => servers.close()));
      await eventually(() => markedProcesses(mark).length === 0, 1_000);
    } finally {
      killMarked(mark);
    }
  });
  return {
    events,
    connect,
    nothingLeft,
    running: () => markedProcesses(mark).length,
    async fails(configs, options) {
      const error = await connect(configs, options).then(
        () => assert.fail('connected'),
        (reason: unknown) => reason as CodemodeError,
      );
      nothingLeft();
      return error;
    },
  };
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: ToolProgress) => void;
}

/** Calls a tool by `server.tool`. */
export async function call(
  { tools }: McpServers,
  path: string,
  input: unknown = {},
  { signal = new AbortController().signal, progress }: CallOptions = {},
): Promise<Result> {
  return (await toolOf({ tools }, path).handler(input, { signal, cellId: '1', callId: '1', progress })) as Result;
}

export interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[];
  readonly [field: string]: unknown;
}

export function toolOf({ tools }: { readonly tools: readonly Tool[] }, path: string): Tool {
  const name = `mcp__${path.replace('.', '__')}`;
  return tools.find((tool) => tool.name === name) ?? assert.fail(`no ${name} in ${tools.map((tool) => tool.name)}`);
}

export const ofType = <T extends McpEvent['type']>(events: readonly McpEvent[], type: T) =>
  events.filter((event): event is Extract<McpEvent, { type: T }> => event.type === type);

export const rejection = (promise: Promise<unknown>): Promise<CodemodeError> =>
  promise.then(
    () => assert.fail('resolved'),
    (reason: unknown) => reason as CodemodeError,
  );
