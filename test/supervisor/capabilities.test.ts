import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExecuteRequest, SessionRequest, ToolDefinition } from '../../src/protocol/message.js';
import { ToolCatalog } from '../../src/supervisor/tool-catalog.js';
import { but, silent, supervise } from './hosts.js';

// What each capability changes on the wire, and that everything works without it.

/** Makes the honest host put out every request it got, as the text of the cell whose source is `report`. */
const reporting = (granted: readonly string[], more = '') =>
  but(`granted = ${JSON.stringify(granted)};
const seen = [];
on = (message) => {
  if (message.type === 'operation/yield') seen.push({ yielded: message.id });
  if (message.type !== 'operation/request') return normal(message);
  seen.push(message.request);
  if (message.request.request?.source === 'report') message.request.request.source = JSON.stringify(seen);
  ${more}
  normal(message);
};`);

type Seen = SessionRequest | { readonly yielded: number };
const textOf = (items: readonly { type: string }[]) => (items[0] as unknown as { text: string }).text;

const tool = (name: string): ToolDefinition => ({
  name,
  tool_name: { name, namespace: null },
  description: '',
  kind: 'function',
});

async function report(session: {
  execute(r: {
    source: string;
    tools?: readonly ToolDefinition[];
  }): Promise<{ initial: Promise<{ items: readonly { type: string }[] }> }>;
}) {
  const cell = await session.execute({ source: 'report' });
  return JSON.parse(textOf((await cell.initial).items)) as Seen[];
}

const executes = (seen: readonly Seen[]): ExecuteRequest[] =>
  seen.flatMap((entry) => ('method' in entry && entry.method === 'session/execute' ? [entry.request] : []));

test('tool-catalog-revision-v1: a list of tools is sent once, and again when it changes', async (t) => {
  const { host } = supervise(t, reporting(['tool-catalog-revision-v1']));
  const session = await host.openSession({ delegate: silent });
  for (const tools of [[tool('a')], [tool('a')], [tool('a'), tool('b')], [], [tool('a'), tool('b')]]) {
    await (await session.execute({ source: 'x', tools })).initial;
  }
  const sent = executes(await report(session)).slice(0, 5);
  assert.deepEqual(
    sent.map(({ catalog_revision, enabled_tools }) => [catalog_revision, enabled_tools.length]),
    [
      [1, 1],
      [1, 0],
      [2, 2],
      [undefined, 0],
      [2, 0],
    ],
  );
});

test('without tool-catalog-revision-v1 every cell carries its list', async (t) => {
  const { host } = supervise(t, reporting([]));
  const session = await host.openSession({ delegate: silent });
  for (let n = 0; n < 2; n++) await (await session.execute({ source: 'x', tools: [tool('a')] })).initial;
  const sent = executes(await report(session)).slice(0, 2);
  assert.deepEqual(
    sent.map((request) => ['catalog_revision' in request, request.enabled_tools.length]),
    [
      [false, 1],
      [false, 1],
    ],
  );
});

test('a host that does not know the revision gets the list again, once, as a new revision', async (t) => {
  const refuse = `if (message.request.request?.catalog_revision === 1 && message.request.request.enabled_tools.length === 0)
    return send({ type: 'operation/response', id: message.id, result: { status: 'error', message: 'unknown code-mode catalog revision' } });`;
  const { host } = supervise(t, reporting(['tool-catalog-revision-v1'], refuse));
  const session = await host.openSession({ delegate: silent });
  for (let n = 0; n < 2; n++) await (await session.execute({ source: 'x', tools: [tool('a')] })).initial;
  const sent = executes(await report(session)).slice(0, 3);
  assert.deepEqual(
    sent.map(({ catalog_revision, enabled_tools }) => [catalog_revision, enabled_tools.length]),
    [
      [1, 1],
      [1, 0],
      [2, 1],
    ],
  );
});

test('a catalogue notices a tool that was added to the same array', () => {
  const catalog = new ToolCatalog(['tool-catalog-revision-v1']);
  const tools = [tool('a')];
  catalog.fields(tools);
  tools.push(tool('b'));
  assert.equal(catalog.fields(tools).enabled_tools.length, 2);
});

test('a schema that is not JSON becomes JSON, or is refused by name', () => {
  const catalog = new ToolCatalog([]);
  const [sent] = catalog.fields([{ ...tool('a'), input_schema: { default: new Date(0) } }]).enabled_tools;
  assert.deepEqual(sent?.input_schema, { default: '1970-01-01T00:00:00.000Z' });
  let deep: unknown = {};
  for (let n = 0; n < 130; n++) deep = { deep };
  const refused = {
    code: 'invalid-argument',
    message: /^tool `b`: its definition is not JSON: the value is cyclic, or/,
  };
  assert.throws(() => catalog.fields([{ ...tool('b'), input_schema: deep }]), refused);
});

test('a catalogue compares lists by what they say', () => {
  const catalog = new ToolCatalog(['tool-catalog-revision-v1']);
  catalog.fields([tool('a')]);
  assert.deepEqual(catalog.fields([{ ...tool('a') }]), { catalog_revision: 1, enabled_tools: [] });
  assert.equal(catalog.fields([{ ...tool('a'), description: 'new' }]).catalog_revision, 2);
});

test('bounded-output-v1: the host is asked to truncate and told the budget of each look', async (t) => {
  const { host } = supervise(t, reporting(['bounded-output-v1']));
  const session = await host.openSession({ delegate: silent, truncateOutput: true });
  const cell = await session.execute({ source: 'forever', maxOutputTokens: 7 });
  await cell.initial;
  const waiting = session.wait(cell.id, { yieldTimeMs: 60_000, maxOutputTokens: 8 });
  waiting.catch(() => undefined);
  const seen = await report(session);
  const [open] = seen;
  assert.ok(open !== undefined && 'method' in open && open.method === 'session/open');
  assert.equal(open.outputTruncation, 'server');
  assert.equal(executes(seen)[0]?.max_output_tokens, 7);
  const wait = seen.find((entry) => 'method' in entry && entry.method === 'session/wait');
  assert.ok(wait !== undefined && 'method' in wait && wait.method === 'session/wait');
  assert.equal(wait.maxOutputTokens, 8);
});

test('without bounded-output-v1 this side truncates, and the host is told nothing', async (t) => {
  const { host } = supervise(t, reporting([]));
  const session = await host.openSession({ delegate: silent, truncateOutput: true });
  const cell = await session.execute({ source: 'x'.repeat(81), maxOutputTokens: 20 });
  const half = 'x'.repeat(40);
  assert.equal(
    textOf((await cell.initial).items),
    `Warning: truncated output (original token count: 21)\nTotal output lines: 1\n\n${half}…1 tokens truncated…${half}`,
  );
  const seen = await report(session);
  assert.ok(!('outputTruncation' in (seen[0] ?? {})));
  assert.ok(!('max_output_tokens' in (executes(seen)[0] ?? {})));
});

test('nobody truncates what nobody asked to be truncated', async (t) => {
  const { host } = supervise(t, reporting(['bounded-output-v1']));
  const session = await host.openSession({ delegate: silent });
  const text = 'x'.repeat(100_000);
  const cell = await session.execute({ source: text, maxOutputTokens: 1 });
  assert.equal(textOf((await cell.initial).items), text);
  const seen = await report(session);
  assert.ok(!('outputTruncation' in (seen[0] ?? {})));
});

test('the error that a truncating host repeats in the output is not shown twice', async (t) => {
  const failing = `if (message.request.request?.source === 'fail') {
    ok(message.id, { type: 'execution/started', cellId: '9' });
    const content_items = ['out', 'Script error:\\nError: x'].map((text) => ({ type: 'input_text', text }));
    const Result = { cell_id: '9', content_items, error_text: 'Error: x', result_buffered_for_ns: 0, code_mode_host_duration_ns: 1 };
    return send({ type: 'execute/initialResponse', id: message.id, result: { status: 'ok', value: { Result } } });
  }`;
  const { host } = supervise(t, reporting(['bounded-output-v1'], failing));
  const session = await host.openSession({ delegate: silent, truncateOutput: true });
  const seen = await (await session.execute({ source: 'fail' })).initial;
  assert.deepEqual([seen.items, seen.errorText], [[{ type: 'input_text', text: 'out' }], 'Error: x']);
});

const held = `if (message.request.method === 'session/wait') { seen.wait = message; return; }`;

test('yield-observation: whoever waits for a cell can be answered early', async (t) => {
  const { host } = supervise(t, reporting(['yield-observation'], held));
  const session = await host.openSession({ delegate: silent });
  const cell = await session.execute({ source: 'forever' });
  await cell.initial;
  session.wait(cell.id, { yieldTimeMs: 60_000 }).catch(() => undefined);
  assert.equal(session.yieldNow(cell.id), true);
  assert.equal(session.yieldNow('no such cell'), true);
  const seen = await report(session);
  // Open, execute, wait: the wait was request 3.
  assert.deepEqual(
    seen.filter((entry) => 'yielded' in entry),
    [{ yielded: 3 }],
  );
});

test('without yield-observation nothing is sent', async (t) => {
  const { host } = supervise(t, reporting([], held));
  const session = await host.openSession({ delegate: silent });
  const cell = await session.execute({ source: 'forever' });
  await cell.initial;
  session.wait(cell.id, { yieldTimeMs: 60_000 }).catch(() => undefined);
  assert.equal(session.yieldNow(cell.id), false);
  const seen = await report(session);
  assert.ok(!seen.some((entry) => 'yielded' in entry));
});

test('what is not a request is refused to its caller alone', async (t) => {
  const { host } = supervise(t, reporting([]));
  const session = await host.openSession({ delegate: silent });
  const wrong = (request: unknown) => session.execute(request as { source: string });
  for (const request of [{}, { source: 5 }, { source: '1', toolCallId: 5 }, { source: '1', tools: [{}] }]) {
    await assert.rejects(wrong(request), { code: 'invalid-argument' }, JSON.stringify(request));
  }
  await assert.rejects(session.wait(5 as unknown as string, { yieldTimeMs: 1 }), { code: 'invalid-argument' });
  await assert.rejects(session.terminate(undefined as unknown as string), { code: 'invalid-argument' });
  await report(session);
});
