import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { lastEvent, root, runCli } from '../support/cli.js';
import { eventually, processesInGroup } from '../support/processes.js';

const eater = 'const a=[];for(;;)a.push(new ArrayBuffer(1e7).slice(0))';
const timedOut = 'the cell was ended by its time limit (timeout) of 500 ms';

for (const source of [
  'while(true){}',
  'await Promise.resolve().then(()=>{while(true){}})',
  'for(;;) await Promise.resolve()',
  'await new Promise(() => {})',
  'text(/^(a+)+$/.test("a".repeat(64) + "b"))',
]) {
  test(`the time limit ends whatever a cell does, and is named: ${source}`, async (t) => {
    // None of them ends by itself, within the time that a run has here.
    const { code, stdout, stderr } = await runCli(t, ['-e', source, '--timeout', '500']);
    assert.deepEqual([code, stdout, stderr], [4, '', `[eval]: ${timedOut}\n`]);
  });
}

test('the time limit is in the last event, with its value', async (t) => {
  const { code, stdout } = await runCli(t, ['--json', '-e', 'text("before"); while(true){}', '--timeout', '500']);
  const last = lastEvent(stdout);
  assert.deepEqual([code, last.type, last.status], [4, 'result', 'timeout']);
  const data = { limit: 'timeoutMs', timeoutMs: 500 };
  assert.deepEqual(last.error, { code: 'operation-timeout', message: timedOut, data });
  assert.match(stdout, /"text":"before"/);
});

test('memory outside the heap counts, and the limit is named', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['-e', eater, '--max-heap', '64']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^\[eval\]: out of memory: [^\n]*\b(64 MiB|67108864 bytes)\b[^\n]*\n$/);
});

for (const source of [
  'const a=[];for(;;)a.push({a})',
  'const a=["b"];for(;;)a.push(a.join())',
  'new Array(5e8).fill(0)',
]) {
  test(`a cell that eats its heap fails with an out-of-memory message: ${source}`, async (t) => {
    const { code, stdout, stderr } = await runCli(t, ['-e', source, '--max-heap', '64']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^\[eval\]: out of memory: /);
  });
}

test('memory that one cell has used up is there again for the next', async (t) => {
  const source = 'text(new Uint8Array(3e7).fill(1).length)';
  const cells = Array.from({ length: 6 }, () => ['-e', source]).flat();
  const { code, stdout, stderr } = await runCli(t, ['--max-heap', '64', ...cells]);
  assert.deepEqual([code, stdout, stderr], [0, '30000000\n'.repeat(6), '']);
});

test('a session goes on while a cell of another runs out of memory', async (t) => {
  const library = pathToFileURL(join(root, 'dist/index.js')).href;
  const { Host, runCell } = (await import(library)) as typeof import('../../src/index.js');
  await using host = new Host({ program: process.execPath, args: [join(root, 'dist/host.cjs')] });
  const { pid } = await host.connect();
  t.after(() => eventually(() => processesInGroup(pid).length === 0));
  const delegate = { invokeTool: async () => null, notify: async () => {} };
  const greedy = await host.openSession({ delegate, limits: { maxHeapSizeBytes: 64 * 2 ** 20 } });
  const modest = await host.openSession({ delegate });
  const seen: string[] = [];
  const onContent = (items: readonly { type: string }[]): void => {
    seen.push(...items.map((item) => ('text' in item ? String(item.text) : item.type)));
  };
  const waiting = runCell(modest, {
    source: 'for (let i = 0; i < 20; i += 1) await new Promise((r) => setTimeout(r, 20)); text("alive")',
    onContent,
  });
  const eaten = await runCell(greedy, { source: eater });
  assert.equal(eaten.status, 'failed');
  assert.match(eaten.status === 'failed' ? eaten.errorText : '', /out of memory/);
  assert.equal((await waiting).status, 'completed');
  assert.equal((await runCell(modest, { source: 'text("after")', onContent })).status, 'completed');
  assert.deepEqual(seen, ['alive', 'after']);
});

test('a limit on output cuts it, and says so', async (t) => {
  const { code, stdout } = await runCli(t, ['--max-output-tokens', '100', '-e', 'text("0123456789".repeat(10000))']);
  assert.equal(code, 0);
  assert.ok(stdout.length < 5_000, `${stdout.length} characters`);
  assert.match(stdout, /truncated/);
});
