import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CellToolboxes } from '../../src/contract/cell-toolboxes.js';
import { Toolbox } from '../../src/tools/toolbox.js';
import { never, says } from './fake-session.js';

const first = new Toolbox([says('who', 'first')]);
const second = new Toolbox([says('who', 'second')]);
const call = (cellId: string) => ({
  cellId,
  callId: 'tool-1',
  name: 'who',
  namespace: null,
  kind: 'function' as const,
  input: {},
});
const context = { signal: new AbortController().signal };

function starting() {
  let start = (_: { id: string; initial: Promise<never> }): void => undefined;
  const cell = new Promise<{ id: string; initial: Promise<never> }>((resolve) => {
    start = resolve;
  });
  return { cell, started: (id: string) => start({ id, initial: never() }) };
}

test('a call that overtakes the start of its cell waits for it, and for no other', async () => {
  const toolboxes = new CellToolboxes(() => second);
  const delegate = toolboxes.delegate({});
  const one = starting();
  const other = starting();
  void toolboxes.start(first, one.cell);
  void toolboxes.start(second, other.cell);
  const answer = delegate.invokeTool(call('1'), context);
  one.started('1');
  assert.equal(await answer, 'first');
});

test('a cell that is over is forgotten, also when its end overtakes its start', async () => {
  const toolboxes = new CellToolboxes(() => second);
  const delegate = toolboxes.delegate({});
  const one = starting();
  const begun = toolboxes.start(first, one.cell);
  delegate.cellClosed?.('1', {});
  one.started('1');
  await begun;
  await new Promise(setImmediate);
  assert.equal(await delegate.invokeTool(call('1'), context), 'second');
});

test('a cell that cannot be started holds nobody up', async () => {
  const toolboxes = new CellToolboxes(() => second);
  const failed = toolboxes.start(first, Promise.reject(new Error('no')));
  const answer = toolboxes.delegate({}).invokeTool(call('1'), context);
  await assert.rejects(failed, { message: 'no' });
  assert.equal(await answer, 'second');
});

test('progress of a call is heard', async () => {
  const tool = {
    ...says('who'),
    handler: (_: unknown, { progress }: { progress?: ((told: { progress: number }) => void) | undefined }) =>
      progress?.({ progress: 1 }),
  };
  const heard: unknown[] = [];
  const toolboxes = new CellToolboxes(() => new Toolbox([tool]));
  const delegate = toolboxes.delegate({ onProgress: ({ name }, told) => heard.push([name, told]) });
  await delegate.invokeTool(call('1'), context);
  assert.deepEqual(heard, [['who', { progress: 1 }]]);
});
