import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ContentItem } from '../../src/protocol/message.js';
import { Consumer } from '../../src/supervisor/consumer.js';
import type { Observation } from '../../src/supervisor/host.js';
import { type CellSession, runCell } from '../../src/supervisor/run-cell.js';
import { observation } from '../support/observation.js';
import { but, silent, supervise } from './hosts.js';

/** Answers with `first`, is told `last` when it is terminated, and says when its host is lost. */
function session(first: Observation, last = observation('terminated', ['last'])) {
  let lose = (): void => {};
  const fake: CellSession = {
    execute: async () => ({ id: '1', initial: Promise.resolve(first) }),
    wait: async () => await Promise.reject(new Error('the host is gone')),
    terminate: async () => last,
    watchLoss: (_, listener) => {
      lose = listener;
      return () => {
        lose = () => {};
      };
    },
  };
  return { fake, lose: () => lose() };
}

/** Never done with what it was handed first. */
function hanging() {
  const taken: string[][] = [];
  const onContent = (items: readonly ContentItem[]): Promise<void> => {
    taken.push(items.map((item) => (item.type === 'input_text' ? item.text : item.type)));
    return new Promise(() => {});
  };
  return { taken, onContent };
}

/** Lets everything run that is ready to run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the time limit ends a cell whose output nobody is done with, and the last of it is handed over all the same', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { taken, onContent } = hanging();
  const { fake } = session(observation('yielded', ['a']));
  const running = runCell(fake, { source: '', timeoutMs: 10, onContent });
  await settled();
  t.mock.timers.tick(10);
  await settled();
  t.mock.timers.tick(1_000);
  assert.equal((await running).status, 'timeout');
  assert.deepEqual(taken, [['a'], ['last']]);
});

test('the signal does, too, and what fails after that is nobody to blame', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let fail = (_: Error): void => {};
  const { fake } = session(observation('yielded', ['a']));
  const abort = new AbortController();
  const running = runCell(fake, {
    source: '',
    signal: abort.signal,
    onContent: () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  });
  await settled();
  abort.abort();
  await settled();
  t.mock.timers.tick(1_000);
  const outcome = await running;
  assert.equal(outcome.status === 'terminated' && outcome.error?.code, 'cancelled');
  // Unheard, it would fail this test.
  fail(new Error('too late'));
  await settled();
});

test('who is done within a second is waited for after the stop', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const order: string[] = [];
  const { fake } = session(observation('yielded', ['a']));
  let done = (): void => {};
  const running = runCell(fake, {
    source: '',
    timeoutMs: 10,
    onContent: async ([item]) => {
      order.push(`${item?.type === 'input_text' && item.text} begins`);
      await new Promise<void>((resolve) => {
        done = resolve;
      });
      order.push('ends');
    },
  });
  await settled();
  t.mock.timers.tick(10);
  await settled();
  t.mock.timers.tick(900);
  done();
  await settled();
  done();
  assert.equal((await running).status, 'timeout');
  assert.deepEqual(order, ['a begins', 'ends', 'last begins', 'ends']);
});

test('a cell that has ended keeps its own end when nobody is done with its output', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { fake } = session(observation('result', ['a'], { errorText: 'Error: x' }));
  const running = runCell(fake, { source: '', timeoutMs: 10, onContent: hanging().onContent });
  await settled();
  t.mock.timers.tick(10);
  await settled();
  t.mock.timers.tick(1_000);
  const outcome = await running;
  assert.deepEqual([outcome.status, outcome.cellId], ['failed', '1']);
});

test('a lost host is told of while nobody is done with the output', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { fake, lose } = session(observation('yielded', ['a']));
  const running = runCell(fake, { source: '', onContent: hanging().onContent });
  await settled();
  lose();
  t.mock.timers.tick(1_000);
  await assert.rejects(running, /the host is gone/);
});

const printing = `
on = (message) => {
  if (message.request?.method !== 'session/execute') return normal(message);
  ok(message.id, { type: 'execution/started', cellId: 'c' });
  send({ type: 'execute/initialResponse', id: message.id, result: { status: 'ok', value: { Yielded: { cell_id: 'c', content_items: [{ type: 'input_text', text: 'a' }], code_mode_host_duration_ns: 1 } } } });
};`;

for (const how of ['close', 'shutdown'] as const) {
  test(`${how === 'close' ? 'closing the host' : 'shutting the session down'} ends a cell whose output nobody is done with`, async (t) => {
    const { host } = supervise(t, but(printing));
    const session = await host.openSession({ delegate: silent });
    const ending = how === 'close' ? () => host.close() : () => session.shutdown();
    let ended: Promise<void> | undefined;
    const running = runCell(session, {
      source: 'forever',
      onContent: () => {
        ended = ending();
        return new Promise(() => {});
      },
    });
    await assert.rejects(running, { code: how === 'close' ? /^(connection|session)-closed$/ : 'session-closed' });
    await ended;
  });
}

test('whoever watches for the loss of a session hears of it once, also when it is late, and not after it has left', async (t) => {
  const { host, pids } = supervise(t, but());
  const session = await host.openSession({ delegate: silent });
  const heard: string[] = [];
  const leave = session.watchLoss('1', () => heard.push('left'));
  const lost = new Promise<void>((resolve) => {
    session.watchLoss('1', () => {
      heard.push('lost');
      resolve();
    });
  });
  leave();
  process.kill(pids()[0]!, 'SIGKILL');
  await lost;
  session.watchLoss('1', () => heard.push('late'));
  assert.deepEqual(heard, ['lost', 'late']);
  await session.shutdown();
  assert.deepEqual(heard, ['lost', 'late']);
});

test('a cell whose host was lost is lost, also when its session is open at the next host by then', async (t) => {
  const { host, pids } = supervise(t, but());
  const session = await host.openSession({ delegate: silent });
  const lost = new Promise<void>((resolve) => {
    session.watchLoss('1', resolve);
  });
  process.kill(pids()[0]!, 'SIGKILL');
  await lost;
  await session.open();
  const heard: string[] = [];
  session.watchLoss('1', () => heard.push('1'));
  session.watchLoss('g2:1', () => heard.push('g2:1'));
  assert.deepEqual(heard, ['1']);
  await session.shutdown();
  assert.deepEqual(heard, ['1', 'g2:1']);
});

test('nothing is kept of what has been taken, however long the cell runs', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const consumer = new Consumer(new AbortController().signal);
  t.after(() => consumer.dispose());
  const taken: WeakRef<object>[] = [];
  for (let call = 0; call < 3; call += 1) {
    await consumer.take((() => {
      const answer = {};
      taken.push(new WeakRef(answer));
      return Promise.resolve(answer);
    }) as unknown as () => Promise<void>);
  }
  // A reference is held until its turn is over.
  await settled();
  collect();
  // The last call may still be what the engine is at.
  assert.deepEqual(
    taken.slice(0, -1).map((one) => one.deref()),
    [undefined, undefined],
  );
});
