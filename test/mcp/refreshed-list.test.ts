import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { RefreshedList } from '../../src/mcp/refreshed-list.js';
import type { ListedTool } from '../../src/mcp/tool-list.js';

const listOf = (...names: string[]): ListedTool[] => names.map((name) => ({ name, fields: { name } }));

interface Reading {
  end(list: ListedTool[]): void;
  fail(error: Error): void;
}

/** A list whose readings the test ends. Its time stands still but for `pass`. */
function bench(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const readings: Reading[] = [];
  const changes: string[] = [];
  const failures: unknown[] = [];
  const list = new RefreshedList(listOf('first'), {
    read: () => new Promise((end, fail) => readings.push({ end, fail })),
    changed: (tools) => changes.push(tools.map(({ name }) => name).join()),
    failed: (error) => failures.push(error),
  });
  /** Long enough for whatever is ready to happen. */
  const turn = (): Promise<void> => new Promise(setImmediate);
  return {
    list,
    readings,
    changes,
    failures,
    turn,
    async end(index: number, ...names: string[]) {
      readings[index]?.end(listOf(...names));
      await turn();
    },
    async pass(ms: number) {
      context.mock.timers.tick(ms);
      await turn();
    },
  };
}

test('a list is settled when what was announced before was read, whatever is announced meanwhile', async (context) => {
  const { list, readings, end, changes } = bench(context);
  list.announce();
  const settled = list.settled(60_000);
  list.announce();
  await end(0, 'second');
  assert.equal(await settled, true);
  assert.equal(readings.length, 1);
  assert.deepEqual(changes, ['second']);
  list.stop();
});

test('a reading that began before an announcement does not settle it', async (context) => {
  const { list, readings, end, pass } = bench(context);
  list.announce();
  list.announce();
  let done = false;
  const settled = list.settled(60_000).then((changed) => {
    done = true;
    return changed;
  });
  await end(0, 'first');
  assert.equal(done, false);
  // Nobody who waits is held up by the pause.
  assert.equal(readings.length, 2);
  await end(1, 'second');
  assert.equal(await settled, true);
  // The pause that was cut short does not end the one after it.
  list.announce();
  await pass(199);
  assert.equal(readings.length, 2);
  await pass(1);
  assert.equal(readings.length, 3);
  list.stop();
});

test('between readings that nobody waits for there are pauses, which grow until it is quiet', async (context) => {
  const { list, readings, end, pass } = bench(context);
  for (const [index, pauseMs] of [100, 200, 400].entries()) {
    list.announce();
    assert.equal(readings.length, index + 1);
    list.announce();
    await end(index, 'first');
    list.announce();
    await pass(pauseMs - 1);
    assert.equal(readings.length, index + 1);
    await pass(1);
    assert.equal(readings.length, index + 2);
  }
  await end(3, 'first');
  await pass(800);
  assert.equal(readings.length, 4);
  list.announce();
  assert.equal(readings.length, 5);
  list.announce();
  await end(4, 'first');
  await pass(100);
  assert.equal(readings.length, 6);
  list.stop();
});

test('a list that can not be compared counts as changed', async (context) => {
  const { list, readings, changes, failures, turn } = bench(context);
  // Stands for one that is nested too deeply: how deep that is differs from Node to Node, and Node 26 has no limit.
  const deep: unknown[] = [];
  deep.push(deep);
  list.announce();
  const settled = list.settled(60_000);
  readings[0]?.end([{ name: 'deep', fields: { deep } }]);
  assert.equal(await settled, true);
  list.announce();
  const again = list.settled(60_000);
  readings[1]?.end([{ name: 'deep', fields: { deep } }]);
  assert.equal(await again, true);
  assert.deepEqual([changes, failures], [['deep', 'deep'], []]);
  await turn();
  list.stop();
});

test('the limit ends the waiting, and a reading that fails settles too', async (context) => {
  const { list, readings, failures, pass, turn } = bench(context);
  list.announce();
  const late = list.settled(500);
  await pass(500);
  assert.equal(await late, false);
  const failing = list.settled(60_000);
  const error = new Error('no list');
  readings[0]?.fail(error);
  assert.equal(await failing, false);
  assert.deepEqual(failures, [error]);
  await turn();
  list.stop();
});

test('a list that was stopped is not read any more, and is settled', async (context) => {
  const { list, readings, end, pass } = bench(context);
  list.announce();
  list.announce();
  await end(0, 'first');
  list.stop();
  list.announce();
  await pass(60_000);
  assert.equal(await list.settled(60_000), false);
  assert.equal(readings.length, 1);
});
