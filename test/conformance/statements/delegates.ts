import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { MAX_FRAME } from '../host-wire.js';
import { delegateRequests, PENDING, slow, statement } from '../statement.js';
import { tool } from '../tested-host.js';

const tools = [tool('t')];

export const delegates = [
  statement('H71', 'a tool call is a delegate request with exactly these fields', async (bench) => {
    const host = await bench.session();
    const tool_name = { name: 'real', namespace: 'mcp__x__' };
    host.execute(2, 'await tools.ns({a: 1})', { tools: [tool('ns', { kind: 'freeform', tool_name })] });
    const fields = { cell_id: '1', runtime_tool_call_id: 'tool-1', tool_name, tool_kind: 'freeform', input: { a: 1 } };
    const request = { type: 'tool/invoke', invocation: fields };
    deepEqual(await host.asked(1), { type: 'delegate/request', id: 1, sessionId: 's1', request });
  }),
  statement('H72', 'no argument is sent as null, a JSON value as it is', async (bench) => {
    const host = await bench.session();
    host.onDelegate = ({ id }) => host.result(id, null);
    const calls = ['', 'undefined', 'null', '"s"', '[1]', '{n: NaN, u: undefined}'].map((x) => `await tools.t(${x});`);
    await host.run(2, calls.join(''), { tools });
    const inputs = delegateRequests(host).map(({ invocation }) => invocation.input);
    deepEqual(inputs, [null, null, null, 's', [1], { n: null }]);
  }),
  statement('H73', 'a result is what the call resolves to', async (bench) => {
    const host = await bench.session();
    const values = [1, 'x', null, true, [1], { a: 1 }];
    host.onDelegate = ({ id }) => host.result(id, values[id - 1]);
    const source = 'for (let i = 0; i < 6; i++) text(JSON.stringify(await tools.t()))';
    deepEqual(
      (await host.run(2, source, { tools })).texts,
      values.map((value) => JSON.stringify(value)),
    );
  }),
  statement('H74', 'a failure rejects with its message, a string; uncaught it is the error text', async (bench) => {
    const host = await bench.session();
    host.onDelegate = ({ id }) => host.failure(id, 'nope');
    const source = 'try { await tools.t() } catch (e) { text(typeof e + e) } await tools.t()';
    const { texts, error_text } = await host.run(2, source, { tools });
    deepEqual([texts, error_text], [['stringnope'], 'nope']);
  }),
  statement('H75', 'a tool call that is answered as a notification rejects', async (bench) => {
    const host = await bench.session();
    host.onDelegate = ({ id }) => host.delivered(id);
    const { error_text } = await host.run(2, 'await tools.t()', { tools });
    equal(error_text, 'code-mode client returned an invalid tool result');
  }),
  statement('H76', 'calls may be answered in any order', async (bench) => {
    const host = await bench.session();
    host.execute(2, 'text((await Promise.all([1, 2, 3].map((i) => tools.t({i})))).join())', { tools });
    await host.asked(3);
    host.result(3, 'C').result(1, 'A').result(2, 'B');
    deepEqual((await host.first(2)).texts, ['A,B,C']);
  }),
  statement('H77', 'answers that are unknown, repeated or late are ignored', async (bench) => {
    const host = await bench.session();
    host.result(99, 1).failure(-5, 'x');
    host.execute(2, 'tools.t(); text(await tools.t())', { tools });
    await host.asked(2);
    host.result(2, 'one').result(2, 'two');
    deepEqual((await host.first(2)).texts, ['one']);
    host.result(1, 'late');
    deepEqual((await host.run(3, 'text("alive")')).texts, ['alive']);
  }),
  statement('H78', 'calls that are open when a cell ends are cancelled before its result', async (bench) => {
    const host = await bench.session();
    const { error_text } = await host.run(2, 'tools.t(); await new Promise((r) => setTimeout(r, 1))', { tools });
    equal(error_text, null);
    ok(host.inOrder(await host.asked(1), await host.cancelled(1), await host.initial(2)));
  }),
  statement('H79', 'terminate and shutdown cancel open calls before they answer', async (bench) => {
    const host = await bench.session();
    host.execute(2, 'await tools.t()', { tools, yieldMs: 1 });
    await host.first(2);
    await host.asked(1);
    await host.terminate(3);
    ok(host.inOrder(await host.cancelled(1), await host.response(3)));
    host.execute(4, 'await tools.t()', { tools, yieldMs: 1 });
    await host.asked(2);
    const last = await host.shutdown(5);
    ok(host.inOrder(await host.cancelled(2), last));
  }),
  statement('H80', 'delegate ids count over the connection, call ids in the cell', async (bench) => {
    const host = await bench.session();
    host.onDelegate = ({ id }) => host.result(id, 1);
    for (const id of [2, 3]) await host.run(id, 'await tools.t(); await tools.t()', { tools });
    const ids = host
      .all('delegate/request')
      .map(({ id, request }) => `${id} ${request.invocation.runtime_tool_call_id}`);
    deepEqual(ids, ['1 tool-1', '2 tool-2', '3 tool-1', '4 tool-2']);
  }),
  statement('H81', 'notify() sends call id, cell id and text, and does not wait', async (bench) => {
    const host = await bench.session();
    host.execute(2, `notify("hi"); notify({a: 1}); text("x"); ${PENDING}`, { callId: 'cc', yieldMs: 1_000 });
    await host.asked(2);
    deepEqual((await host.first(2)).texts, ['x']);
    const common = { type: 'notification/send', callId: 'cc', cellId: '1' };
    deepEqual(delegateRequests(host), [
      { ...common, text: 'hi' },
      { ...common, text: '{"a":1}' },
    ]);
  }),
  statement('H82', 'the result waits for the answers to notifications; no yield ends that', async (bench) => {
    const host = await bench.session();
    host.execute(2, 'notify("a"); text("x")', { yieldMs: 100 });
    await host.asked(1);
    // A cell that started later has its yield time five times over.
    await host.run(3, PENDING, { yieldMs: 500 });
    host.send({ type: 'operation/yield', id: 2 });
    await host.run(4, PENDING, { yieldMs: 100 });
    deepEqual(
      host.all('execute/initialResponse').map(({ id }) => id),
      [3, 4],
    );
    equal((await host.delivered(1).first(2)).kind, 'Result');
  }),
  statement('H83', 'a notification that is refused, or answered wrongly, does the cell no harm', async (bench) => {
    const host = await bench.session();
    host.onDelegate = ({ id, request }) => (request.text === 'a' ? host.failure(id, 'refused') : host.result(id, 1));
    const { texts, error_text } = await host.run(2, 'notify("a"); notify("b"); text("x")');
    deepEqual([texts, error_text], [['x'], null]);
    await host.when('a line about it', () => /refused/.test(host.stderr));
  }),
  statement('H84', 'an empty notification throws', async (bench) => {
    const source = 'for (const t of ["", "  "]) try { notify(t) } catch (e) { text(String(e)) }';
    const { texts } = await (await bench.session()).run(2, source);
    deepEqual(texts, Array(2).fill('notify expects non-empty text'));
  }),
  statement('H85', 'tool names become identifiers', async (bench) => {
    const given = ['a-b c.d', '1abc', 'é', 'a$b'].map((name) => tool(name));
    const source = 'text(Object.keys(tools).join()); text(ALL_TOOLS.map((t) => t.name).join())';
    const { texts } = await (await bench.session()).run(2, source, { tools: given });
    deepEqual(texts, Array(2).fill('a_b_c_d,_abc,_,a$b'));
  }),
  statement(
    'H86',
    'an input that fits no frame fails its call alone; such a notification is dropped',
    async (bench) => {
      const host = await bench.session();
      host.onDelegate = ({ id }) => host.result(id, 7);
      const source = `try { await tools.t("x".repeat(${MAX_FRAME})) } catch (e) { text(String(e)) }
      notify("y".repeat(${MAX_FRAME})); text(String(await tools.t()))`;
      const { texts } = await host.run(2, source, { tools, yieldMs: 60_000 });
      match(texts[0], /code-mode IPC frame length \d+ exceeds 67108864 bytes/);
      equal(texts[1], '7');
    },
  ),
  slow('H87', '1,024 calls may be open, 4,096 with the capability; the next rejects', async (bench) => {
    for (const [capabilities, limit] of [
      [[], 1_024],
      [['delegate-capacity-4096'], 4_096],
    ] as const) {
      const host = await bench.session({}, capabilities);
      // In small portions, as a burst of 200 calls is the end of the reference host.
      const source = `const refused = [];
        for (let i = 0; i < ${limit}; i++) { tools.t().catch(() => {}); if (i % 16 === 0) await new Promise((r) => setTimeout(r, 8)) }
        for (let i = 0; i < 6; i++) await tools.t().catch((e) => refused.push(e));
        text(refused.join("|"))`;
      const { texts } = await host.run(2, source, { tools, yieldMs: 120_000 });
      deepEqual(texts, [Array(6).fill('code-mode host has too many pending delegate calls').join('|')]);
      equal(host.all('delegate/request').length, limit);
    }
  }),
];
