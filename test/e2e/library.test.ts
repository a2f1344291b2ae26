import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fixture, root, runCli } from '../support/cli.js';

// The built library, in scripts as users write them: what they print is one line of JSON, and they end by themselves.

const prelude = `
import { Host, runCell, CodemodeError } from ${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)};
const delegate = { invokeTool: async () => null, notify: async () => {} };
const ours = (more) => new Host({ program: process.execPath, args: [${JSON.stringify(join(root, 'dist/host.cjs'))}], ...more });
const print = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
`;

async function script(test: TestContext, body: string): Promise<unknown> {
  const shell = 'exec "$1" --expose-gc --input-type=module -e "$SCRIPT"';
  const { code, stdout, stderr } = await runCli(test, [], { shell, env: { SCRIPT: prelude + body } });
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

test('a script that has closed its host ends by itself', async (t) => {
  const seen = await script(
    t,
    `const host = ours();
    const session = await host.openSession({ delegate });
    const items = [];
    const { status } = await runCell(session, { source: 'text(1+1)', onContent: (more) => void items.push(...more) });
    await host.close();
    print([status, items]);`,
  );
  assert.deepEqual(seen, ['completed', [{ type: 'input_text', text: '2' }]]);
});

test('a script that has failed to start a host ends by itself', async (t) => {
  const host = JSON.stringify(fixture('exits-seven-with-stderr'));
  const seen = await script(
    t,
    `const host = new Host({ program: ${host} });
    const errors = [];
    for (let round = 0; round < 3; round += 1) await host.connect().catch((error) => errors.push(error));
    print(errors.map((error) => [error instanceof CodemodeError, error.code]));`,
  );
  assert.deepEqual(seen, Array(3).fill([true, 'handshake-failed']));
});

test('memory goes back after 32 MiB each way', async (t) => {
  const seen = (await script(
    t,
    `const used = () => { gc(); gc(); const { heapUsed, external } = process.memoryUsage(); return heapUsed + external; };
    const host = ours();
    const big = Buffer.alloc(2 ** 25, 'y').toString();
    const session = await host.openSession({ delegate: { ...delegate, invokeTool: async () => big } });
    const tools = [{ name: 'big', tool_name: { name: 'big' }, description: 'big', kind: 'function', input_schema: {} }];
    const lengths = [];
    const onContent = (items) => void lengths.push(...items.map(({ text }) => text.length));
    await runCell(session, { source: 'text("warm")' });
    const before = used();
    for (let round = 0; round < 2; round += 1) {
      await runCell(session, { tools, source: 'const r = await tools.big({}); text(r.length); text(r)', onContent });
    }
    await host.close();
    let grown = used() - before;
    // Some of it is let go of a few turns later.
    for (let turn = 0; turn < 20 && grown >= 2 ** 24; turn += 1) {
      await new Promise(setImmediate);
      grown = used() - before;
    }
    print({ lengths, grown });`,
  )) as { lengths: number[]; grown: number };
  assert.deepEqual(
    seen.lengths,
    Array(2)
      .fill([8, 2 ** 25])
      .flat(),
  );
  assert.ok(seen.grown < 2 ** 24, `${seen.grown} bytes more than before`);
});

test('whoever waits when a host dies gets the same reason, and the session lives on at a new one', async (t) => {
  const seen = await script(
    t,
    `const pids = [];
    const host = ours({ onEvent: (event) => event.type === 'ready' && pids.push(event.pid) });
    const session = await host.openSession({ delegate });
    const source = 'await new Promise(() => {})';
    const cells = await Promise.all([1, 2, 3, 4, 5, 6].map(() => session.execute({ source, yieldTimeMs: 60_000 })));
    const waiting = cells.map(({ initial }) => initial.then(() => 'answered', (error) => error.code + ': ' + error.message));
    process.kill(pids[0], 'SIGKILL');
    const reasons = new Set(await Promise.all(waiting));
    const { status } = await runCell(session, { source: 'text(1)' });
    await host.close();
    print([[...reasons], status, pids.length, pids[0] !== pids[1]]);`,
  );
  const reason = 'host-exited: code-mode host exited with status signal: 9 (SIGKILL)';
  assert.deepEqual(seen, [[reason], 'completed', 2, true]);
});

test('ten sessions that are opened at once share one host', async (t) => {
  const seen = await script(
    t,
    `let spawned = 0;
    const host = ours({ onEvent: ({ type }) => { if (type === 'spawned') spawned += 1; } });
    const sessions = await Promise.all(Array.from({ length: 10 }, () => host.openSession({ delegate })));
    const own = await Promise.all(sessions.map((session, i) => runCell(session, { source: 'store("i", ' + i + ')' })));
    await host.close();
    print([spawned, new Set(sessions.map(({ id }) => id)).size, own.every(({ status }) => status === 'completed')]);`,
  );
  assert.deepEqual(seen, [1, 10, true]);
});

test('what is planted on Object.prototype does not reach a host', async (t) => {
  const seen = await script(
    t,
    `Object.prototype.shell = true; Object.prototype.env = { PLANTED: '1' }; Object.prototype.PLANTED = 'yes';
    const lines = [];
    const onEvent = (event) => { if (event.type === 'stderr') lines.push(event.line); };
    const host = new Host({ program: ${JSON.stringify(fixture('prints-environment'))}, onEvent });
    const session = await host.openSession({ delegate });
    const { status } = await runCell(session, { source: '1' });
    await host.close();
    for (const name of ['shell', 'env', 'PLANTED']) delete Object.prototype[name];
    print([status, lines.length, lines.some((line) => line.includes('PLANTED'))]);`,
  );
  assert.deepEqual(seen, ['completed', 1, false]);
});
