import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type CellOutcome, runCell } from '../../src/supervisor/run-cell.js';
import { supervise } from '../supervisor/hosts.js';
import { type Tool, Toolbox } from './toolboxes.js';

/** Runs one cell with the tools of a box, and gives back its texts. */
async function run(
  t: TestContext,
  toolbox: Toolbox,
  source: string,
): Promise<{ outcome: CellOutcome; texts: string[] }> {
  const { host } = supervise(t, {});
  const session = await host.openSession({ delegate: toolbox.delegate() });
  const texts: string[] = [];
  const outcome = await runCell(session, {
    source,
    tools: toolbox.definitions,
    timeoutMs: 60_000,
    onContent: (items) => {
      for (const item of items) if (item.type === 'input_text') texts.push(item.text);
    },
  });
  return { outcome, texts };
}

const says = (name: string): Tool => ({ name, description: 'Says its name.', inputSchema: {}, handler: () => name });

const difficult = [
  ...['delete', 'class', 'await', 'eval', 'arguments', 'enum', 'let', 'constructor', 'toString', 'hasOwnProperty'],
  ...['get-user', 'get_user', 'get.user', 'getUser', 'Get User', '用户', '1st', '😀', 'then', '__proto__', 'toJSON'],
];

test('every tool is called by the name under which it is listed', async (t) => {
  const source = `
    for (const { name } of ALL_TOOLS) text(await tools[name]({}));
    text(Object.keys(tools).join() === ALL_TOOLS.map(({ name }) => name).join());
    text(Object.getPrototypeOf(tools) === Object.prototype);
    text((await tools) === tools);
    text(Object.keys({ ...tools }).length + Object.keys(Object.assign({}, tools)).length);`;
  const { outcome, texts } = await run(t, new Toolbox(difficult.map(says)), source);
  assert.equal(outcome.status, 'completed');
  assert.deepEqual(texts, [...difficult, 'true', 'true', 'true', String(2 * difficult.length)]);
});

test('names are callable without brackets', async (t) => {
  const source =
    'text([await tools.delete(), await tools.get_user(), await tools.constructor(), await tools.then_()].join())';
  const { texts } = await run(t, new Toolbox(difficult.map(says)), source);
  assert.deepEqual(texts, ['delete,get_user,constructor,then']);
});

test('a cell hears what was wrong with its input', async (t) => {
  const inputSchema = {
    type: 'object',
    properties: { filters: { type: 'array', items: { type: 'object', properties: { size: { type: 'integer' } } } } },
    required: ['filters'],
  };
  const source = `
    for (const input of [{ filters: [{ size: 1 }, { size: 'large' }] }, {}, null]) {
      try { await tools.search(input) } catch (error) { text(typeof error + ': ' + error) }
    }`;
  const { texts } = await run(t, new Toolbox([{ ...says('search'), inputSchema }]), source);
  const missing = 'string: tool `search`: `filters` is missing (expected an array)';
  assert.deepEqual(texts, [
    'string: tool `search`: `filters[1].size` must be an integer, got "large"',
    missing,
    missing,
  ]);
});

test('the call beyond the limit of a cell rejects, the next cell begins anew', async (t) => {
  const toolbox = new Toolbox([says('a')], { limits: { callsPerCell: 20, callsInFlight: 3 } });
  const { host } = supervise(t, {});
  const session = await host.openSession({ delegate: toolbox.delegate() });
  const source = `const all = await Promise.allSettled(Array.from({ length: 22 }, () => tools.a()));
    text(all.map(({ status }) => status[0]).join(''));`;
  for (let round = 0; round < 2; round += 1) {
    const texts: unknown[] = [];
    const { definitions: tools } = toolbox;
    await runCell(session, { source, tools, onContent: (items) => void texts.push(...items) });
    assert.deepEqual(texts, [{ type: 'input_text', text: `${'f'.repeat(20)}rr` }]);
  }
});

test('calls that never end do not block the cells after theirs', async (t) => {
  const stuck: Tool = { ...says('stuck'), handler: () => new Promise(() => {}) };
  const toolbox = new Toolbox([stuck, says('a')], { limits: { callsInFlight: 8 } });
  const { host } = supervise(t, {});
  const session = await host.openSession({ delegate: toolbox.delegate() });
  const { definitions: tools } = toolbox;
  const source = 'for (let i = 0; i < 200; i++) tools.stuck(); await new Promise((go) => setTimeout(go, 1));';
  assert.equal((await runCell(session, { source, tools, timeoutMs: 60_000 })).status, 'completed');
  const outcome = await runCell(session, { source: 'await tools.a()', tools, timeoutMs: 60_000 });
  assert.equal(outcome.status, 'completed');
});
