import { type Mock, mock } from 'node:test';
import type { ContractSession, ModelAnswer } from '../../src/contract/index.js';
import type { Observation } from '../../src/supervisor/host.js';
import type { Tool } from '../../src/tools/tool.js';
import { Toolbox } from '../../src/tools/toolbox.js';

export const never = (): Promise<never> => new Promise(() => {});

/** A session that answers from a script; what the script lacks never comes. */
export function fakeSession(script: {
  readonly initial?: Promise<Observation> | (() => Promise<Observation>);
  readonly wait?: () => Promise<Observation>;
  readonly terminate?: () => Promise<Observation>;
  readonly execute?: (signal: AbortSignal | undefined) => Promise<never>;
}) {
  const { initial = never } = script;
  const first = (): Promise<Observation> => (typeof initial === 'function' ? initial() : initial);
  const execute: Mock<ContractSession['execute']> = mock.fn(async (_request, options) =>
    script.execute === undefined ? { id: '1', initial: first() } : await script.execute(options?.signal),
  );
  const wait: Mock<ContractSession['wait']> = mock.fn(async () => await (script.wait?.() ?? never()));
  const terminate: Mock<ContractSession['terminate']> = mock.fn(async () => await (script.terminate?.() ?? never()));
  const yieldNow: Mock<NonNullable<ContractSession['yieldNow']>> = mock.fn(() => true);
  return { execute, wait, terminate, yieldNow };
}

export const says = (name: string, word = name): Tool => ({
  name,
  description: `Says ${word}.`,
  inputSchema: { type: 'object' },
  handler: () => word,
});

export const noTools = new Toolbox([]);

/** Wall times differ. */
export const timeless = (value: string): string => value.replace(/^Wall time \d+\.\d seconds$/m, 'Wall time');

export const said = ({ status, success, cellId, text: all }: ModelAnswer): object => ({
  status,
  success,
  cellId,
  text: timeless(all),
});
