import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CellHolds } from '../../src/supervisor/cell-holds.js';
import type { Delegate } from '../../src/supervisor/host.js';
import { type CellOutcome, runCell } from '../../src/supervisor/run-cell.js';
import { Toolbox } from '../../src/tools/toolbox.js';
import { supervise } from './hosts.js';

const { signal } = new AbortController();

/** Work that ends when the test says so. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, wait: () => opened };
}

test('a cell is held while any of its calls holds it, and only that cell', async () => {
  const holds = new CellHolds();
  const seen: string[] = [];
  const stop = ['1', '2'].map((cell) => holds.watch(cell, (held) => seen.push(`${cell} ${held}`)));
  const [first, second] = [gate(), gate()];
  const one = holds.hold('1', signal)(first.wait);
  const other = holds.hold('1', signal)(second.wait);
  first.open();
  await one;
  assert.deepEqual(seen, ['1 true']);
  second.open();
  await other;
  assert.deepEqual(seen, ['1 true', '1 false']);
  for (const end of stop) end();
  assert.equal(holds.size, 0);
});

test('who begins to watch while a cell is held is told', async () => {
  const holds = new CellHolds();
  const { open, wait } = gate();
  const held = holds.hold('1', signal)(wait);
  const seen: boolean[] = [];
  const stop = holds.watch('1', (now) => seen.push(now));
  assert.deepEqual(seen, [true]);
  stop();
  open();
  await held;
  assert.deepEqual(seen, [true]);
  assert.equal(holds.size, 0);
});

test('the end of the call ends its hold, once, also when the work goes on', async () => {
  const holds = new CellHolds();
  const seen: boolean[] = [];
  const stop = holds.watch('1', (now) => seen.push(now));
  const call = new AbortController();
  const { open, wait } = gate();
  const held = holds.hold('1', call.signal)(wait);
  call.abort(new Error('over'));
  await assert.rejects(held, { message: 'over' });
  open();
  await wait();
  assert.deepEqual(seen, [true, false]);
  await assert.rejects(holds.hold('1', call.signal)(wait), { message: 'over' });
  assert.deepEqual(seen, [true, false]);
  stop();
  assert.equal(holds.size, 0);
});

test('the value and the failure of held work are its own, a throw at once too', async () => {
  const holds = new CellHolds();
  assert.equal(await holds.hold('1', signal)(async () => 7), 7);
  await assert.rejects(
    holds.hold('1', signal)(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  const thrown = (): never => {
    throw new Error('now');
  };
  await assert.rejects(holds.hold('1', signal)(thrown), { message: 'now' });
  assert.equal(holds.size, 0);
});

// From here on with real cells. The questions take longer than the whole limit of the cell: that is what is tested. The
// limit itself leaves a busy machine the time to start a cell.
const LIMIT_MS = 1_500;
const HOOK_MS = 1_700;
const SHORT_LIMIT_MS = 300;
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const ask = { name: 'ask', description: 'Asks.', inputSchema: {}, handler: () => 'yes' };

test('the clock of a cell stands still while somebody is asked', async (t) => {
  const { host } = supervise(t, {});
  const toolbox = new Toolbox([ask], { onToolCall: { before: () => later(HOOK_MS) } });
  const session = await host.openSession({ delegate: toolbox.delegate() });
  const source = 'await Promise.all([tools.ask(), tools.ask()]);';
  const outcome = await runCell(session, { source, tools: toolbox.definitions, timeoutMs: LIMIT_MS });
  assert.equal(outcome.status, 'completed');
  assert.ok(outcome.ms > LIMIT_MS, String(outcome.ms));
});

test('a cell that spins after the question still ends at its limit', async (t) => {
  const { host } = supervise(t, {});
  let answered = false;
  const before = async (): Promise<void> => {
    await later(HOOK_MS);
    answered = true;
  };
  const toolbox = new Toolbox([ask], { onToolCall: { before } });
  const session = await host.openSession({ delegate: toolbox.delegate() });
  const source = 'await tools.ask(); while (true) {}';
  const outcome = await runCell(session, { source, tools: toolbox.definitions, timeoutMs: LIMIT_MS });
  assert.deepEqual([outcome.status, answered], ['timeout', true]);
});

test('a handler that takes long is not held', async (t) => {
  const { host } = supervise(t, {});
  const toolbox = new Toolbox([{ ...ask, handler: () => new Promise(() => {}) }], { onToolCall: { before: () => {} } });
  const session = await host.openSession({ delegate: toolbox.delegate() });
  const source = 'await tools.ask();';
  const outcome = await runCell(session, { source, tools: toolbox.definitions, timeoutMs: SHORT_LIMIT_MS });
  assert.equal(outcome.status, 'timeout');
});

test('one cell that is held does not hold the others of its session', async (t) => {
  const { host } = supervise(t, {});
  const { open, wait } = gate();
  const toolbox = new Toolbox([ask], { onToolCall: { before: wait } });
  const session = await host.openSession({ delegate: toolbox.delegate() });
  const run = (source: string, timeoutMs: number): Promise<CellOutcome> =>
    runCell(session, { source, tools: toolbox.definitions, timeoutMs });
  const held = run('await tools.ask();', LIMIT_MS);
  assert.equal((await run('while (true) {}', SHORT_LIMIT_MS)).status, 'timeout');
  open();
  assert.equal((await held).status, 'completed');
});

test('who gives up a cell ends it while it is held, and the hook hears of it', async (t) => {
  const { host } = supervise(t, {});
  const stop = new AbortController();
  let heard: unknown;
  const before = (_: unknown, context: { signal: AbortSignal }): Promise<never> => {
    stop.abort();
    return new Promise((_resolve, reject) => {
      context.signal.addEventListener('abort', () => {
        heard = context.signal.reason;
        reject(new Error('nobody to ask'));
      });
    });
  };
  const toolbox = new Toolbox([ask], { onToolCall: { before } });
  const session = await host.openSession({ delegate: toolbox.delegate() });
  const source = 'await tools.ask();';
  const outcome = await runCell(session, { source, tools: toolbox.definitions, signal: stop.signal });
  assert.equal(outcome.status, 'terminated');
  assert.ok(heard instanceof Error);
});

test('a delegate is told its session, for calls and for cells that are over', async (t) => {
  const { host } = supervise(t, {});
  const seen: unknown[] = [];
  const delegate: Delegate = {
    invokeTool: (_, { sessionId }) => seen.push(sessionId),
    cellClosed: (cellId, context) => seen.push([cellId, context?.sessionId]),
  };
  const session = await host.openSession({ delegate });
  const { definitions: tools } = new Toolbox([ask]);
  const { cellId } = await runCell(session, { source: 'await tools.ask()', tools });
  await session.shutdown();
  assert.deepEqual(seen, [session.id, [cellId, session.id]]);
});

test('a call that is answered holds its cell no more, whatever work it has left behind', async () => {
  const holds = new CellHolds();
  const seen: boolean[] = [];
  const stop = holds.watch('1', (now) => seen.push(now));
  let late: Promise<unknown> | undefined;
  let still: Promise<unknown> | undefined;
  let holdLater = (): Promise<unknown> => Promise.resolve();
  const delegate = holds.wrap(
    {
      invokeTool: (_, { hold }) => {
        still = hold?.(() => new Promise(() => {}));
        holdLater = async () => await hold?.(() => Promise.resolve('held'));
        return 7;
      },
    },
    's',
  );
  const call = { cellId: '1', callId: 'c', name: 't', namespace: null, kind: 'function', input: {} } as const;
  assert.equal(await delegate.invokeTool(call, { signal }), 7);
  assert.deepEqual(seen, [true, false]);
  late = holdLater();
  for (const one of [still, late]) {
    await assert.rejects(one ?? Promise.resolve(), {
      code: 'invalid-argument',
      message: 'the call is answered: its cell is not held any more',
    });
  }
  assert.deepEqual(seen, [true, false]);
  stop();
  assert.equal(holds.size, 0);
});

test('a delegate that leaves a hold behind does not keep its cell from timing out', async (t) => {
  const { host } = supervise(t, {});
  const delegate: Delegate = {
    invokeTool: (_, { hold }) => {
      void hold?.(() => new Promise(() => {}));
      return 1;
    },
  };
  const session = await host.openSession({ delegate });
  const { definitions: tools } = new Toolbox([ask]);
  const source = 'await tools.ask(); while (true) {}';
  assert.equal((await runCell(session, { source, tools, timeoutMs: SHORT_LIMIT_MS })).status, 'timeout');
});

test('two hosts whose sessions and cells have the same ids share no count of calls', async (t) => {
  const toolbox = new Toolbox([ask], { limits: { callsPerCell: 2 } });
  const delegate = toolbox.delegate();
  const source = 'for (let i = 0; i < 2; i += 1) await tools.ask(); text("both"); await tools.ask();';
  const sessions = await Promise.all(
    [1, 2].map(() => supervise(t, {}).host.openSession({ delegate: { invokeTool: delegate.invokeTool } })),
  );
  assert.equal(sessions[0]?.id, sessions[1]?.id);
  for (const session of sessions) {
    const items: unknown[] = [];
    const onContent = (more: readonly unknown[]) => void items.push(...more);
    const outcome = await runCell(session, { source, tools: toolbox.definitions, onContent });
    assert.equal(outcome.status, 'failed');
    assert.deepEqual(items, [{ type: 'input_text', text: 'both' }]);
    assert.match(outcome.status === 'failed' ? outcome.errorText : '', /the most that one cell may make/);
  }
});
