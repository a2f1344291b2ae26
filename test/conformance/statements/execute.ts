import { deepEqual, equal, ok } from 'node:assert/strict';
import { about, PENDING, slow, statement, timed } from '../statement.js';
import { tool } from '../tested-host.js';

const progressFields = ['cell_id', 'code_mode_host_duration_ns', 'content_items'];

export const execute = [
  statement('H43', 'execute: started, then the initial response, then closed', async (bench) => {
    const host = await bench.session();
    host.execute(2, 'text("a")');
    const last = await host.closed();
    const [started, initial, closed] = host.messages.slice(2);
    const result = { status: 'ok', value: { type: 'execution/started', cellId: '1' } };
    deepEqual(started, { type: 'operation/response', id: 2, result });
    deepEqual([initial.type, initial.id], ['execute/initialResponse', 2]);
    deepEqual([closed, host.messages.length], [{ type: 'cell/closed', sessionId: 's1', cellId: '1' }, 5]);
    equal(closed, last);
  }),
  statement('H44', 'cells are numbered from 1 in each session', async (bench) => {
    const host = await bench.session();
    await host.open('s2', 2);
    const ids: string[] = [];
    for (const [index, session] of ['s1', 's1', 's2', 's1'].entries()) {
      await host.run(3 + index, '1', { session });
      ids.push(await host.started(3 + index));
    }
    deepEqual(ids, ['1', '2', '1', '3']);
  }),
  statement('H45', 'a Result has five fields', async (bench) => {
    const result = await (await bench.session()).run(2, 'text("a")');
    equal(result.kind, 'Result');
    deepEqual(result.fields, [...progressFields, 'error_text', 'result_buffered_for_ns']);
    deepEqual([result.error_text, result.result_buffered_for_ns], [null, 0]);
    ok(Number.isInteger(result.code_mode_host_duration_ns) && result.code_mode_host_duration_ns > 0);
  }),
  statement('H46', 'Yielded and Terminated have three fields', async (bench) => {
    const host = await bench.session();
    const [yielded, terminated] = [await host.run(2, PENDING, { yieldMs: 1 }), await host.terminate(3)];
    deepEqual([yielded.kind, yielded.fields], ['Yielded', progressFields]);
    deepEqual([terminated.kind, terminated.fields], ['Terminated', progressFields]);
  }),
  statement('H49', 'a thrown Error: what was printed before, and its stack', async (bench) => {
    const { texts, error_text } = await (await bench.session()).run(2, 'text("a"); throw new Error("boom")');
    deepEqual(texts, ['a']);
    ok(error_text.startsWith('Error: boom\n    at '), error_text);
  }),
  statement('H50', 'source that does not parse is a cell that fails', async (bench) => {
    const host = await bench.session();
    const { error_text } = await host.run(2, 'let x = ;');
    equal(await host.started(2), '1');
    ok(error_text.startsWith('SyntaxError: '), error_text);
  }),
  statement('H51', 'exit() ends a cell well; timers do not keep one alive', async (bench) => {
    const host = await bench.session();
    const left = await host.run(2, 'text("a"); try { exit() } finally { text("b") }');
    deepEqual([left.texts, left.error_text], [['a'], null]);
    deepEqual((await host.run(3, 'setTimeout(() => text("late"), 600_000); text("now")')).texts, ['now']);
  }),
  statement('H52', 'yield_time_ms limits the first response; 0 is at once, also in a busy loop', async (bench) => {
    const host = await bench.session();
    await host.run(2, '1');
    const [atOnce, later] = [
      await timed(() => host.run(3, 'for (;;) {}', { yieldMs: 0 })),
      await timed(() => host.run(4, PENDING, { yieldMs: 400 })),
    ];
    equal((await host.first(3)).kind, 'Yielded');
    about(atOnce, 0);
    about(later, 400);
  }),
  statement('H53', 'maxYieldTimeMs limits execute, also without a time, and wait', async (bench) => {
    const host = await bench.session({ cellExecutionLimits: { maxYieldTimeMs: 150 } });
    await host.run(2, '1');
    for (const [id, yieldMs] of [
      [3, 60_000],
      [4, null],
    ] as const) {
      about(await timed(() => host.run(id, PENDING, { yieldMs })), 150);
    }
    about(await timed(() => host.wait(5, 60_000, '2')), 150);
  }),
  slow(
    'H54',
    'no time means 10,000 ms; from there on there is 1,000 ms of grace, within maxYieldTimeMs',
    async (bench) => {
      const after = async (yieldMs: number | null, wanted: number, open = {}) => {
        const host = await bench.session(open);
        await host.run(2, '1');
        about(await timed(() => host.run(3, PENDING, { yieldMs })), wanted);
      };
      const limited = { cellExecutionLimits: { maxYieldTimeMs: 10_500 } };
      await Promise.all([
        after(null, 11_000),
        after(10_000, 11_000),
        after(9_999, 9_999),
        after(10_000, 10_500, limited),
      ]);
    },
  ),
  statement('H66', 'of 160 cells at a time none hears its messages out of order', async (bench) => {
    const host = await bench.session();
    host.onDelegate = ({ id }) => host.result(id, 1);
    const ids = Array.from({ length: 160 }, (_, index) => 10 + index);
    for (const id of ids) {
      host.execute(id, id % 2 === 0 ? 'text(1)' : 'text(await tools.echo({}))', { tools: [tool('echo')] });
      if (id % 8 === 0) await host.initial(id);
    }
    for (const id of ids) {
      const cellId = await host.started(id);
      ok(host.inOrder(await host.response(id), await host.initial(id), await host.closed(cellId)), `request ${id}`);
    }
  }),
  slow('H100', 'there may be 2,048 cells; the next is refused', async (bench) => {
    const host = await bench.session();
    for (let id = 100; id < 2_148; id++) {
      host.execute(id, PENDING, { yieldMs: 1 });
      if (id % 8 === 0) await host.started(id);
    }
    await host.started(2_147);
    host.execute(9_000, '1');
    equal(await host.refusal(9_000), 'code-mode host has too many active cells');
  }),
];
