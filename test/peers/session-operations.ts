import assert from 'node:assert/strict';
import { runCell } from '../../src/index.js';
import { eventually } from '../support/processes.js';
import { echo, type Operation, PENDING, seen, tool } from './operation.js';
import { Stage, YIELD_MS } from './stage.js';

/** Cells that print more than is wanted, and how many tokens are. */
const truncated: readonly (readonly [string, number])[] = [
  ['for (let i = 0; i < 500; i++) text("line " + i)', 50],
  ['text("few words")', 50],
  ['text("漢字".repeat(100))', 7],
  ['text("a".repeat(100)); image("data:image/png;base64,aGk="); text("b".repeat(100)); text("c")', 10],
  ['text("a".repeat(100)); audio("data:audio/mpeg;base64,aGk="); text("b".repeat(100))', 4],
];

/** What is done with sessions, and with cells that have not ended yet. */
export const sessionOperations: readonly Operation[] = [
  {
    title: 'a cell that yields by itself, and is waited for',
    act: async (_, on) => {
      let open: (value: unknown) => void = () => {};
      on.answer = () =>
        new Promise((resolve) => {
          open = resolve;
        });
      const first = await on.run('text("a"); yield_control(); text(await tools.echo())', echo);
      await on.called(1);
      const rest = on.wait('1');
      open('b');
      return [seen(first), seen(await rest)];
    },
  },
  {
    title: 'a cell that has not ended when its time is over, and is terminated',
    act: async (_, on) => {
      const first = await on.run(PENDING, [], 20);
      const second = await on.wait('1', 20);
      const last = await on.session.terminate('1');
      await on.ended('1');
      return [first, second, last].map(seen);
    },
  },
  {
    title: 'a busy loop that is terminated',
    act: async (_, on) => {
      const first = await on.run('text("a"); yield_control(); for (;;) {}');
      return [first, await on.session.terminate('1')].map(seen);
    },
  },
  {
    title: 'cells that are not there',
    act: async (_, on) => {
      await on.run('1');
      await on.ended('1');
      return [await on.wait('1', 0), await on.wait('99', 0), await on.session.terminate('99')].map(seen);
    },
  },
  {
    title: 'a wait that is given up, and the next one',
    act: async (_, on) => {
      await on.run(PENDING, [], 1);
      const control = new AbortController();
      const given = on.session.wait('1', { yieldTimeMs: YIELD_MS }, { signal: control.signal });
      control.abort();
      await assert.rejects(given, { code: 'cancelled' });
      return [await on.wait('1', 20), await on.session.terminate('1')].map(seen);
    },
  },
  {
    title: 'two observers of one cell',
    act: async (_, on) => {
      await on.run(PENDING, [], 1);
      const both = await Promise.allSettled([on.wait('1', 100), on.wait('1', 100)]);
      await on.session.terminate('1');
      return both.map((one) => (one.status === 'fulfilled' ? seen(one.value) : one.reason.message)).sort();
    },
  },
  {
    title: 'a session with a limit on its yields',
    options: { limits: { maxYieldTimeMs: 30 } },
    needsCapabilities: true,
    act: async (_, on) => [await on.run(PENDING), await on.wait('1'), await on.session.terminate('1')].map(seen),
  },
  {
    title: 'two sessions, which share nothing',
    act: async (host, on) => {
      const other = await Stage.on(host);
      const first = await on.run('store("k", 1); text(load("k"))');
      const result = [first, await other.run('text(String(load("k")))'), await on.run('text(load("k"))')].map(seen);
      await other.session.shutdown();
      return result;
    },
  },
  {
    title: 'the same tools twice, then others, then the first again',
    act: async (_, on) => {
      const source = 'text(ALL_TOOLS.map(({name}) => name).join())';
      const lists = [echo, echo, [tool('other')], [], echo];
      const results: unknown[] = [];
      for (const list of lists) results.push(seen(await on.run(source, list)));
      return results;
    },
  },
  {
    title: 'output that is cut to what is wanted',
    options: { truncateOutput: true },
    act: async (_, on) => {
      const results: unknown[] = [];
      for (const [source, maxOutputTokens] of truncated) {
        const cell = await on.session.execute({ source, maxOutputTokens, yieldTimeMs: YIELD_MS });
        results.push(seen(await cell.initial));
      }
      return results;
    },
  },
  {
    title: 'output that only a host cuts: an error among it, and more than a megabyte',
    options: { truncateOutput: true },
    needsCapabilities: true,
    act: async (_, on) => {
      const results: unknown[] = [];
      for (const source of ['text("a"); throw new Error("too long".repeat(50))', 'text("x".repeat(1_500_000))']) {
        const cell = await on.session.execute({ source, maxOutputTokens: 20, yieldTimeMs: YIELD_MS });
        results.push(seen(await cell.initial));
      }
      return results;
    },
  },
  {
    title: 'output of a cell that yields, cut for each look',
    options: { truncateOutput: true },
    act: async (_, on) => {
      let open: (value: unknown) => void = () => {};
      on.answer = () =>
        new Promise((resolve) => {
          open = resolve;
        });
      const print = 'text("x".repeat(1_000)); yield_control(); await tools.gate();';
      const source = `${print} ${print} ${print}`;
      const tools = [tool('gate')];
      const { initial } = await on.session.execute({ source, tools, maxOutputTokens: 10, yieldTimeMs: YIELD_MS });
      const looks = [await initial];
      for (const [index, more] of [{ maxOutputTokens: 20 }, {}].entries()) {
        await on.called(index + 1);
        const look = on.session.wait('1', { yieldTimeMs: YIELD_MS, ...more });
        open('');
        looks.push(await look);
      }
      await on.called(3);
      looks.push(await on.session.terminate('1', { maxOutputTokens: 1 }));
      return looks.map(seen);
    },
    anyOrder: true,
  },
  {
    title: 'a cell that is not there, for a client that wants its output cut',
    options: { truncateOutput: true },
    needsCapabilities: true,
    act: async (_, on) => [await on.wait('7', 0), await on.session.terminate('7')].map(seen),
  },
  {
    title: 'observations that are ended early, of a busy cell and of a waiting one',
    needsCapabilities: true,
    act: async (_, on) => {
      const busy = await on.session.execute({
        source: 'text("a"); notify("busy"); for (;;) {}',
        yieldTimeMs: YIELD_MS,
      });
      await eventually(() => on.notes.length === 1);
      const yielded = [on.session.yieldNow(busy.id)];
      const looks = [await busy.initial];
      const wait = on.wait(busy.id);
      await new Promise(setImmediate); // the wait is sent by now
      yielded.push(on.session.yieldNow(busy.id));
      looks.push(await wait, await on.session.terminate(busy.id));
      return [yielded, looks.map(seen)];
    },
    anyOrder: true,
  },
  {
    title: 'a megabyte in, a megabyte out',
    act: async (_, on) => {
      const source = 'const back = await tools.echo("ü".repeat(500_000)); text(back.length); text(back)';
      return seen(await on.run(source, echo));
    },
  },
  {
    title: 'a shutdown that ends running cells and open calls',
    anyOrder: true,
    act: async (_, on) => {
      on.answer = () => new Promise(() => {});
      const cells = [on.run('text("a"); await tools.echo()', echo), on.run(PENDING)];
      await on.called(1);
      await eventually(() => on.session.id !== '');
      await on.session.shutdown();
      return [(await Promise.all(cells)).map(({ kind }) => kind), on.revoked, [...on.closed].sort()];
    },
  },
  {
    title: 'runCell: from start to end, with what is printed in between',
    anyOrder: true,
    act: async (_, on) => {
      const printed: unknown[] = [];
      const onContent = (items: readonly unknown[]) => void printed.push(...items);
      const source = 'text("a"); yield_control(); text(await tools.echo("b"))';
      const { ms, ...outcome } = await runCell(on.session, { source, tools: echo, yieldTimeMs: YIELD_MS, onContent });
      return [outcome, ms > 0, printed];
    },
  },
  {
    title: 'runCell: a limit on the whole cell',
    anyOrder: true,
    act: async (_, on) => {
      const { status, cellId } = await runCell(on.session, {
        source: 'for (;;) {}',
        timeoutMs: 300,
        yieldTimeMs: YIELD_MS,
      });
      await on.ended('1');
      return [status, cellId];
    },
  },
];
