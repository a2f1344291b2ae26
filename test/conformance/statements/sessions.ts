import { deepEqual, equal, ok } from 'node:assert/strict';
import { openRequest, PENDING, raw, slow, statement, timed } from '../statement.js';

export const sessions = [
  statement('H34', 'open is answered by session/ready with the same id', async (bench) => {
    const host = await bench.greet();
    const result = { status: 'ok', value: { type: 'session/ready', sessionId: 's-ü' } };
    deepEqual(await host.open('s-ü', 5), { type: 'operation/response', id: 5, result });
  }),
  statement('H35', 'a session that is open cannot be opened', async (bench) => {
    const host = await bench.session();
    host.send(openRequest('s1', 2));
    equal(await host.refusal(2), 'code-mode session ID `s1` is already open');
  }),
  statement('H36', 'a session that was open cannot be opened again', async (bench) => {
    const host = await bench.session();
    deepEqual((await host.shutdown(2)).result.value, { type: 'session/closed', sessionId: 's1' });
    host.send(openRequest('s1', 3));
    equal(await host.refusal(3), 'code-mode session ID `s1` was reused');
  }),
  statement('H37', 'every request to an unknown session says so', async (bench) => {
    const host = await bench.session();
    const sessionId = 'nope';
    host.execute(2, '1', { session: sessionId });
    host.request(3, 'wait', { sessionId, request: { cell_id: '1', yield_time_ms: 0 } });
    host.request(4, 'terminate', { sessionId, cellId: '1' });
    host.request(5, 'shutdown', { sessionId });
    for (const id of [2, 3, 4, 5]) equal(await host.refusal(id), 'unknown code-mode session nope');
  }),
  statement('H38', 'a blank session id is fatal; others are compared as they are', async (bench) => {
    await bench.fatal(...['', ' ', '\t'].map((id) => openRequest(id, 9)));
    const host = await bench.session();
    await host.open(' a ', 2);
    host.execute(3, '1', { session: 'a' });
    equal(await host.refusal(3), 'unknown code-mode session a');
  }),
  statement('H39', 'limits and truncation work without their capabilities', async (bench) => {
    const cellExecutionLimits = { maxYieldTimeMs: 50, maxHeapSizeBytes: null };
    const host = await bench.session({ cellExecutionLimits, outputTruncation: 'server' });
    await host.run(2, '1'); // a cell before, so that 50 ms are enough for the output of the next
    const source = `text("x".repeat(900)); ${PENDING}`;
    const ms = await timed(() => host.run(3, source, { yieldMs: 60_000, maxTokens: 10 }));
    ok(ms < 30_000, `the limit was not kept: ${ms} ms`);
    const { texts } = await host.first(3);
    ok(texts[0].startsWith('Warning: truncated output'), texts[0]);
  }),
  slow('H42', 'a session id may be used again after 4,096 others, not 4,095', async (bench) => {
    for (const [others, status] of [
      [4_095, 'error'],
      [4_096, 'ok'],
    ] as const) {
      const host = await bench.session();
      await host.shutdown(2);
      for (let index = 0; index < others; index++) {
        await host.open(`x${index}`, 10 + 2 * index);
        await host.shutdown(11 + 2 * index, `x${index}`);
      }
      equal((await host.open('s1', 3)).result.status, status);
    }
  }),
  statement(
    'H65',
    'shutdown answers all observers with Terminated and closes all cells before itself',
    async (bench) => {
      const host = await bench.session();
      host.execute(2, `text("x"); ${PENDING}`, { yieldMs: 60_000 });
      await host.started(2);
      await host.run(3, PENDING, { yieldMs: 1 });
      await host.sendWait(4, 60_000, '2').taken(6);
      const last = await host.shutdown(5);
      deepEqual(last.result.value, { type: 'session/closed', sessionId: 's1' });
      deepEqual([(await host.first(2)).kind, (await host.outcome(4)).kind], ['Terminated', 'Terminated']);
      for (const cellId of ['1', '2']) ok(host.inOrder(await host.closed(cellId), last));
      equal(host.messages.at(-1), last);
    },
  ),
  statement(
    'H101',
    'stored values are shared in a session, when the cell ends, also by an error, not by terminate',
    async (bench) => {
      const host = await bench.session();
      await host.open('s2', 2);
      const read = async (id: number, key: string, session = 's1') =>
        (await host.run(id, `text(JSON.stringify(load("${key}")) ?? "none")`, { session })).texts[0];
      await host.run(3, 'store("k", {a: 1}); throw new Error("x")');
      deepEqual([await read(4, 'k'), await read(5, 'k', 's2')], ['{"a":1}', 'none']);
      host.execute(6, `store("t", 1); yield_control(); ${PENDING}`);
      const cellId = await host.started(6);
      await host.first(6);
      equal(await read(7, 't'), 'none');
      await host.terminate(8, cellId);
      equal(await read(9, 't'), 'none');
    },
  ),
];

export const fieldRules = [
  statement('H47', 'what may be absent or null may be', async (bench) => {
    const host = await bench.session();
    const nothing = {
      tool_call_id: '',
      enabled_tools: [{ name: 'e', tool_name: { name: 'e' }, description: '', kind: 'freeform' }],
    };
    host.request(2, 'execute', { sessionId: 's1', request: { ...nothing, source: 'text("k")' } });
    const nulls = { catalog_revision: null, yield_time_ms: null, max_output_tokens: null };
    host.execute(3, 'text("k")', { tools: [], more: nulls });
    for (const id of [2, 3]) deepEqual((await host.first(id)).texts, ['k']);
  }),
  statement('H48', 'fewer than no output tokens are refused; more than 2,147,483,647 are fatal', async (bench) => {
    const host = await bench.session();
    host.execute(2, '1', { maxTokens: -1 });
    equal(await host.refusal(2), 'invalid code-mode execute request: number too small to fit in target type');
    await bench.endsAs(host.execute(3, '1', { maxTokens: 2_147_483_648 }), 1);
    await bench.fatal(raw('{"type":"operation/cancel","id":null}'));
  }),
];
