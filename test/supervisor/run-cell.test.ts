import assert from 'node:assert/strict';
import { type Mock, mock, test } from 'node:test';
import type { ContentItem } from '../../src/protocol/message.js';
import type { Observation } from '../../src/supervisor/host.js';
import { type CellOutcome, type CellSession, runCell } from '../../src/supervisor/run-cell.js';
import { observation } from '../support/observation.js';

/** A session that answers from a script; an answer that is missing never comes. */
function session(script: {
  readonly answers?: readonly Promise<Observation>[];
  readonly terminated?: () => Promise<Observation>;
  readonly execute?: (signal: AbortSignal | undefined) => Promise<never>;
}) {
  const answers = [...(script.answers ?? [])];
  const next = (): Promise<Observation> => answers.shift() ?? new Promise(() => {});
  const terminate: Mock<CellSession['terminate']> = mock.fn(
    async () => await (script.terminated?.() ?? Promise.resolve(observation('terminated'))),
  );
  const wait: Mock<CellSession['wait']> = mock.fn(async () => await next());
  const execute: Mock<CellSession['execute']> = mock.fn(async (_request, options) =>
    script.execute === undefined ? { id: '1', initial: next() } : await script.execute(options?.signal),
  );
  return { execute, wait, terminate };
}

const reply = (...all: Parameters<typeof observation>): Promise<Observation> => Promise.resolve(observation(...all));

function collector() {
  const seen: string[] = [];
  const onContent = (items: readonly ContentItem[]): void => {
    seen.push(...items.map((item) => (item.type === 'input_text' ? item.text : item.type)));
  };
  return { seen, onContent };
}

const without = ({ ms, ...outcome }: CellOutcome): object => {
  assert.ok(ms >= 0);
  return outcome;
};

test('a cell that ends at once is not waited for', async () => {
  const fake = session({ answers: [reply('result', ['2'])] });
  const { seen, onContent } = collector();
  const outcome = await runCell(fake, { source: 'text(1+1)', onContent });
  assert.deepEqual(without(outcome), { status: 'completed', cellId: '1' });
  assert.deepEqual(seen, ['2']);
  assert.equal(fake.wait.mock.callCount(), 0);
  assert.equal(fake.execute.mock.calls[0]?.arguments[0].yieldTimeMs, 250);
});

test('the items of every answer are handed over in order, each once', async () => {
  const fake = session({
    answers: [reply('yielded', ['a']), reply('yielded'), reply('yielded', ['b', 'c']), reply('result', ['d'])],
  });
  const { seen, onContent } = collector();
  const started: string[] = [];
  const outcome = await runCell(fake, { source: '', yieldTimeMs: 9, onContent, onStarted: (id) => started.push(id) });
  assert.equal(outcome.status, 'completed');
  assert.deepEqual(seen, ['a', 'b', 'c', 'd']);
  assert.deepEqual(started, ['1']);
  assert.deepEqual(
    fake.wait.mock.calls.map((call) => call.arguments[1].yieldTimeMs),
    [9, 9, 9],
  );
});

test('more is asked for only when the earlier items have been taken', async () => {
  const fake = session({ answers: [reply('yielded', ['a']), reply('result')] });
  let waitsSeen = -1;
  await runCell(fake, {
    source: '',
    onContent: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      waitsSeen = fake.wait.mock.callCount();
    },
  });
  assert.equal(waitsSeen, 0);
});

test('a failed cell is told by its error text, also when that is empty', async () => {
  const outcome = await runCell(session({ answers: [reply('result', [], { errorText: '' })] }), { source: '' });
  assert.deepEqual(without(outcome), { status: 'failed', cellId: '1', errorText: '' });
});

test('a cell that the host no longer knows has failed', async () => {
  const missing = reply('result', [], { missing: true, errorText: 'exec cell 1 not found' });
  const outcome = await runCell(session({ answers: [reply('yielded'), missing] }), { source: '' });
  assert.deepEqual(without(outcome), { status: 'failed', cellId: '1', errorText: 'exec cell 1 not found' });
});

test('a cell that the host ended by itself is terminated, without an error of ours', async () => {
  const outcome = await runCell(session({ answers: [reply('terminated', [])] }), { source: '' });
  assert.deepEqual(without(outcome), { status: 'terminated', cellId: '1' });
});

test('the time limit ends a cell that never answers, and names itself and its value', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const fake = session({});
  const running = runCell(fake, { source: 'while(true){}', timeoutMs: 500 });
  await settled();
  t.mock.timers.tick(499);
  await settled();
  assert.equal(fake.terminate.mock.callCount(), 0);
  t.mock.timers.tick(1);
  await settled();
  t.mock.timers.tick(500);
  const outcome = await running;
  assert.equal(fake.terminate.mock.callCount(), 1);
  assert.equal(outcome.status, 'timeout');
  assert.equal(outcome.cellId, '1');
  assert.ok(outcome.status === 'timeout' && outcome.error.code === 'operation-timeout');
  assert.equal(outcome.error.message, 'the cell was ended by its time limit (timeout) of 500 ms');
  assert.deepEqual(outcome.error.data, { limit: 'timeoutMs', timeoutMs: 500 });
});

test('items that come with the termination to both the observer and the terminator count once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const observer = withResolvers<Observation>();
  const last = observation('terminated', ['late']);
  const fake = session({
    answers: [reply('yielded', ['early']), observer.promise],
    terminated: async () => {
      observer.resolve(last);
      return last;
    },
  });
  const { seen, onContent } = collector();
  const running = runCell(fake, { source: '', timeoutMs: 10, onContent });
  await settled();
  t.mock.timers.tick(10);
  assert.equal((await running).status, 'timeout');
  assert.deepEqual(seen, ['early', 'late']);
});

test('items of an answer that crosses the termination come before the last ones', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const observer = withResolvers<Observation>();
  const fake = session({
    answers: [observer.promise],
    terminated: async () => {
      observer.resolve(observation('yielded', ['a']));
      return observation('terminated', ['b']);
    },
  });
  const { seen, onContent } = collector();
  const running = runCell(fake, { source: '', timeoutMs: 10, onContent });
  await settled();
  t.mock.timers.tick(10);
  assert.equal((await running).status, 'timeout');
  assert.deepEqual(seen, ['a', 'b']);
});

test('a cell that completes while it is being ended has completed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const observer = withResolvers<Observation>();
  const fake = session({
    answers: [observer.promise],
    terminated: async () => {
      observer.resolve(observation('result', ['done']));
      return observation('result', [], { missing: true, errorText: 'exec cell 1 not found' });
    },
  });
  const { seen, onContent } = collector();
  const running = runCell(fake, { source: '', timeoutMs: 10, onContent });
  await settled();
  t.mock.timers.tick(10);
  assert.equal((await running).status, 'completed');
  assert.deepEqual(seen, ['done']);
});

test('a completed result that nobody had read comes with the termination', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const taken = withResolvers<void>();
  const fake = session({
    answers: [reply('yielded', ['a'])],
    terminated: () => reply('result', ['b'], { errorText: 'Error: x' }),
  });
  const { seen, onContent } = collector();
  const running = runCell(fake, {
    source: '',
    timeoutMs: 10,
    onContent: async (items) => {
      onContent(items);
      if (seen.length === 1) await taken.promise;
    },
  });
  await settled();
  t.mock.timers.tick(10);
  assert.equal(fake.terminate.mock.callCount(), 1, 'a slow reader does not put off the limit');
  taken.resolve();
  assert.deepEqual(without(await running), { status: 'failed', cellId: '1', errorText: 'Error: x' });
  assert.deepEqual(seen, ['a', 'b']);
});

test('a host that does not confirm the end is given up after five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const running = runCell(session({ terminated: () => new Promise(() => {}) }), { source: '', timeoutMs: 10 });
  await settled();
  for (const ms of [10, 5_000, 500]) {
    t.mock.timers.tick(ms);
    await settled();
  }
  assert.equal((await running).status, 'timeout');
});

test('the time limit also covers the start of the cell, which then has no id', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const execute = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('gave up'))));
  const running = runCell(session({ execute }), { source: '', timeoutMs: 10 });
  await settled();
  t.mock.timers.tick(10);
  const outcome = await running;
  assert.equal(outcome.status, 'timeout');
  assert.equal(outcome.cellId, null);
});

test("the caller's abort ends the cell and is the cause of the error", async () => {
  const observer = withResolvers<Observation>();
  const fake = session({
    answers: [observer.promise],
    terminated: async () => {
      const last = observation('terminated', ['z']);
      observer.resolve(last);
      return last;
    },
  });
  const { seen, onContent } = collector();
  const abort = new AbortController();
  const running = runCell(fake, { source: '', signal: abort.signal, onContent });
  await settled();
  abort.abort('enough');
  const outcome = await running;
  assert.ok(outcome.status === 'terminated' && outcome.error?.code === 'cancelled');
  assert.equal(outcome.error.cause, 'enough');
  assert.deepEqual(seen, ['z']);
});

test('with a signal that is aborted already nothing is sent', async () => {
  const fake = session({});
  const outcome = await runCell(fake, { source: '', signal: AbortSignal.abort() });
  assert.equal(outcome.status, 'terminated');
  assert.equal(outcome.cellId, null);
  assert.equal(fake.execute.mock.callCount(), 0);
});

test('a lost host is an exception, not an outcome', async () => {
  const lost = new Error('code-mode host exited');
  await assert.rejects(runCell(session({ answers: [reply('yielded'), Promise.reject(lost)] }), { source: '' }), lost);
  await assert.rejects(runCell(session({ execute: () => Promise.reject(lost) }), { source: '' }), lost);
});

test('a callback that fails ends the cell and fails the call', async () => {
  const broken = new Error('disk full');
  const fake = session({ answers: [reply('yielded', ['a'])] });
  const running = runCell(fake, {
    source: '',
    onContent: () => {
      throw broken;
    },
  });
  await assert.rejects(running, broken);
  assert.equal(fake.terminate.mock.callCount(), 1);
  const unstarted = session({});
  const onStarted = (): never => {
    throw broken;
  };
  await assert.rejects(runCell(unstarted, { source: '', onStarted }), broken);
  assert.equal(unstarted.terminate.mock.callCount(), 1);
});

test('an option that is not known is refused by name before anything is sent', async () => {
  const fake = session({ answers: [reply('result')] });
  const misspelt = { source: '', timeout: 50 };
  await assert.rejects(runCell(fake, misspelt), {
    code: 'invalid-argument',
    message: /^runCell: the option timeout is not known; did you mean timeoutMs\? known are source, /,
    data: { call: 'runCell', option: 'timeout' },
  });
  for (const none of [undefined, null, 'text(1)', []])
    await assert.rejects(runCell(fake, none as never), { code: 'invalid-argument', message: /must be an object/ });
  assert.equal(fake.execute.mock.callCount(), 0);
});

test('limits that a timer cannot keep are refused before anything is sent', async () => {
  for (const timeoutMs of [0, -1, 1.5, Number.NaN, 2_147_483_648, 1e20]) {
    const fake = session({ answers: [reply('result')] });
    await assert.rejects(runCell(fake, { source: '', timeoutMs }), { code: 'invalid-argument' });
    await assert.rejects(runCell(fake, { source: '', yieldTimeMs: timeoutMs }), { code: 'invalid-argument' });
    assert.equal(fake.execute.mock.callCount(), 0);
  }
  for (const timeoutMs of [2_147_483_647, Number.POSITIVE_INFINITY]) {
    const longest = await runCell(session({ answers: [reply('result')] }), { source: '', timeoutMs });
    assert.equal(longest.status, 'completed');
  }
});

/** Lets everything run that is ready to run. `setImmediate` is not among the mocked timers. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** `Promise.withResolvers` is younger than Node 20. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
