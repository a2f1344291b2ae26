import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Host } from '../../src/index.js';
import { failure } from '../connection/fake-host.js';
import { echo, PENDING, seen, tool } from '../peers/operation.js';
import { realHost, skip } from '../peers/peers.js';
import { Stage, YIELD_MS } from '../peers/stage.js';
import { patience } from '../support/cli.js';
import { groupIsGone } from '../support/processes.js';
import { hostProgram } from '../support/v1-client.js';

// Statements 35 to 42 and 123: our supervisor with a host that runs cells, the real one and ours.

const TOO_MUCH = 65 * 2 ** 20;

interface Started {
  readonly host: Host;
  readonly pids: readonly number[];
}

function start(t: TestContext, program: string): Started {
  const pids: number[] = [];
  const host = new Host({ program, onEvent: (event) => event.type === 'spawned' && pids.push(event.pid) });
  t.after(async () => {
    await host.close();
    for (const pid of pids) await groupIsGone(pid);
  });
  return { host, pids };
}

const texts = (items: readonly { type: string }[]): string[] =>
  items.map((item) => ('text' in item ? String(item.text) : ''));

for (const [name, program, skipped] of [
  ['our host', hostProgram, false],
  ['the real host', realHost, skip],
] as const) {
  describe(`With ${name}`, { skip: skipped }, () => {
    test('35: the limits of one session are not those of another on the same process', async (t) => {
      const { host, pids } = start(t, program);
      const limited = await Stage.on(host, { limits: { maxYieldTimeMs: 20 } });
      const free = await Stage.on(host);
      const source = 'await new Promise((resolve) => setTimeout(resolve, 1_000)); text("done")';
      const [short, long] = await Promise.all([limited.run(source), free.run(source)]);
      assert.deepEqual([short.kind, long.kind, texts(long.items), pids.length], ['yielded', 'result', ['done'], 1]);
    });

    test('36: a session keeps values, forwards calls and notifications, and controls its cells', async (t) => {
      const { host } = start(t, program);
      const on = await Stage.on(host);
      await on.run('store("k", await tools.echo({ a: 1 })); notify("kept")', echo);
      assert.deepEqual(texts((await on.run('text(load("k"))')).items), ['{"a":1}']);
      assert.equal((await on.run(PENDING, [], 20)).kind, 'yielded');
      assert.equal((await on.wait('3', 20)).kind, 'yielded');
      assert.equal((await on.session.terminate('3')).kind, 'terminated');
      await on.ended('1', '2', '3');
      assert.deepEqual([on.closed, on.notes, on.calls.map(({ cellId }) => cellId)], [['1', '2', '3'], ['kept'], ['1']]);
    });

    test('37: a long wait that is given up makes room for the next within two seconds', async (t) => {
      const { host } = start(t, program);
      const on = await Stage.on(host);
      await on.run(PENDING, [], 1);
      const caller = new AbortController();
      const given = failure(on.session.wait('1', { yieldTimeMs: YIELD_MS }, { signal: caller.signal }));
      caller.abort();
      assert.equal((await given).code, 'cancelled');
      const began = performance.now();
      assert.equal((await on.wait('1', 20)).kind, 'yielded');
      assert.ok(performance.now() - began < patience(2_000));
    });

    test('38: a slow tool that nobody awaits is cancelled when the others have completed', async (t) => {
      const { host } = start(t, program);
      const on = await Stage.on(host);
      on.answer = ({ name, input }) => (name === 'slow' ? new Promise(() => undefined) : input);
      const source = 'tools.slow(); text(await Promise.all([1, 2, 3].map((i) => tools.echo(i))))';
      assert.deepEqual(texts((await on.run(source, [...echo, tool('slow')])).items), ['[1,2,3]']);
      await on.ended('1');
      const slow = on.calls.find((call) => call.name === 'slow');
      assert.deepEqual(on.revoked, [slow?.callId]);
    });

    test('39: an execute that is too long fails alone, and the next cell is the first', async (t) => {
      const { host, pids } = start(t, program);
      const on = await Stage.on(host);
      const error = await failure(on.session.execute({ source: 'x'.repeat(TOO_MUCH) }));
      assert.match(error.message, /IPC frame limit/);
      const cell = await on.session.execute({ source: 'text(1)' });
      assert.deepEqual([cell.id, (await cell.initial).kind, pids.length], ['1', 'result', 1]);
    });

    test('40: an argument or a result of a tool that is too long fails that call only', async (t) => {
      const { host, pids } = start(t, program);
      const on = await Stage.on(host);
      on.answer = ({ input }) => (input === 'much' ? 'x'.repeat(TOO_MUCH) : 'little');
      const call = (input: string) => `await tools.echo(${input}).then((one) => text(one), (error) => text("failed"))`;
      const source = [`"x".repeat(${TOO_MUCH})`, '"much"', '"some"'].map(call).join(';');
      assert.deepEqual(texts((await on.run(source, echo)).items), ['failed', 'failed', 'little']);
      assert.deepEqual([on.calls.map(({ input }) => input), pids.length], [['much', 'some'], 1]);
    });

    test('41: a first result that is too long is an error in words, and the host goes on', async (t) => {
      const { host, pids } = start(t, program);
      const on = await Stage.on(host);
      const error = await failure(on.run(`text("x".repeat(${TOO_MUCH}))`));
      assert.match(error.message, /IPC frame limit/);
      assert.deepEqual([texts((await on.run('text(2)')).items), pids.length], [['2'], 1]);
    });

    test('42: the loss of the host fails both waits, closes both cells, and the next use has another host', async (t) => {
      const { host, pids } = start(t, program);
      const [a, b] = [await Stage.on(host), await Stage.on(host)];
      let finish: (value: unknown) => void = () => undefined;
      a.answer = () =>
        new Promise((resolve) => {
          finish = resolve;
        });
      const cell = await a.session.execute({ source: 'await tools.echo()', tools: echo, yieldTimeMs: 1 });
      await a.called(1);
      await b.run(PENDING, [], 1);
      await cell.initial;
      const waits = [failure(a.wait('1')), failure(b.wait('1'))];
      const began = performance.now();
      process.kill(pids[0]!, 'SIGKILL');
      for (const { message, code } of await Promise.all(waits)) {
        assert.deepEqual([message, code], ['code-mode host exited with status signal: 9 (SIGKILL)', 'host-exited']);
      }
      assert.deepEqual([a.revoked.length, a.closed, b.closed], [1, ['1'], ['1']]);
      const again = await b.session.execute({ source: PENDING, yieldTimeMs: 1 });
      assert.deepEqual([again.id, pids.length], ['g2:1', 2]);
      assert.equal((await failure(b.wait('1'))).message, 'cell 1 belongs to a stale code-mode host generation');
      await Promise.all([a.session.shutdown(), b.session.shutdown()]);
      assert.ok(performance.now() - began < patience(5_000));
      finish('late');
      await new Promise(setImmediate);
      assert.deepEqual([a.closed, b.closed], [['1'], ['1', 'g2:1']]);
    });

    test('123: two sessions share the host, but no stored value; the end of one leaves the other', async (t) => {
      const { host, pids } = start(t, program);
      const [a, b] = [await Stage.on(host), await Stage.on(host)];
      await a.run('store("k", "of a"); store("only", 1)');
      await b.run('store("k", "of b")');
      const source = 'text([load("k"), String(load("only"))].join())';
      const looks = [seen(await a.run(source)), seen(await b.run(source))];
      assert.deepEqual(
        looks.flatMap(({ items }) => texts(items)),
        ['of a,1', 'of b,undefined'],
      );
      await a.session.shutdown();
      assert.deepEqual([texts((await b.run(source)).items), pids.length], [['of b,undefined'], 1]);
    });
  });
}
