import { eventually } from '../support/processes.js';
import { echo, type Operation, seen, tool } from './operation.js';

/** What a cell does, from start to end. */
export const cellOperations: readonly Operation[] = [
  { title: 'a cell that prints', act: async (_, on) => seen(await on.run('text("a"); text("ü😀"); text("")')) },
  {
    title: 'a cell that throws after it has printed',
    act: async (_, on) => seen(await on.run('text("a"); throw new RangeError("too far")')),
  },
  { title: 'a cell that does not parse', act: async (_, on) => seen(await on.run('let x = ;')) },
  { title: 'a cell that exits', act: async (_, on) => seen(await on.run('text("a"); exit(); text("b")')) },
  {
    title: 'pictures and sounds',
    act: async (_, on) => {
      const source = `image("data:image/png;base64,aGk="); image({image_url: "data:image/gif;base64,aGk=", detail: "low"});
        audio("data:audio/mpeg;base64,aGk="); image("nothing of the kind")`;
      return seen(await on.run(source));
    },
  },
  {
    title: 'what a cell can reach',
    act: async (_, on) =>
      seen(await on.run('text(typeof require + typeof process + typeof fetch); text(this === undefined)')),
  },
  {
    title: 'a tool call',
    act: async (_, on) => [seen(await on.run('text(await tools.echo({a: [1, null, "x"]}))', echo)), on.calls],
  },
  {
    title: 'tools of every kind of name',
    act: async (_, on) => {
      const tools = [
        tool('mcp__box__look-up', { tool_name: { name: 'look-up', namespace: 'mcp__box__' } }),
        tool('patch', { kind: 'freeform' }),
        tool('1st', { input_schema: { type: 'object' }, output_schema: { type: 'string' } }),
      ];
      const source = `text(ALL_TOOLS); await tools.mcp__box__look_up({q: 1}); await tools.patch("*** Begin"); await tools._st()`;
      return [seen(await on.run(source, tools)), on.calls];
    },
  },
  {
    title: 'a tool that fails, once caught and once not',
    act: async (_, on) => {
      on.answer = () => {
        throw new Error('no such thing');
      };
      return seen(
        await on.run('try { await tools.echo() } catch (e) { text([typeof e, e]) } await tools.echo()', echo),
      );
    },
  },
  {
    title: 'three tools at once that are answered from the last to the first',
    anyOrder: true,
    act: async (_, on) => {
      const done: ((value: string) => void)[] = [];
      on.answer = () => new Promise((resolve) => done.push(resolve));
      const cell = on.run('text((await Promise.all([1, 2, 3].map((i) => tools.echo({i})))).join())', echo);
      await on.called(3);
      for (const index of [2, 1, 0]) done[index]?.(`answer ${index}`);
      return seen(await cell);
    },
  },
  {
    title: 'answers used as they come',
    act: async (_, on) => {
      on.answer = ({ input }) => (input === 2 ? Promise.reject(new Error('two')) : input);
      const source = `const all = []; for await (const one of as_settled([1, 2, 3].map((i) => tools.echo(i)))) all.push(one);
        text(all.sort((a, b) => a.index - b.index))`;
      return seen(await on.run(source, echo));
    },
    anyOrder: true,
  },
  {
    title: 'a call that is still open when its cell ends',
    act: async (_, on) => {
      on.answer = () => new Promise(() => {});
      const result = seen(await on.run('tools.echo(); text("done")', echo));
      await eventually(() => on.revoked.length === 1);
      return [result, on.revoked];
    },
  },
  {
    title: 'notifications, in order, before the result',
    act: async (_, on) => {
      const result = seen(await on.run('for (const i of [1, 2, 3]) notify("step " + i); notify({a: 1}); text("x")'));
      return [result, on.notes];
    },
  },
  {
    title: 'stored values, kept also when a cell fails',
    act: async (_, on) => [
      seen(await on.run('store("k", {a: [1]}); store("n", null); throw "off"')),
      seen(await on.run('text([load("k"), load("n"), load("none") === undefined])')),
      seen(await on.run('store("f", () => 1)')),
    ],
  },
];
