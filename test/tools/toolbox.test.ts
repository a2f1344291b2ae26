import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTools } from '../../src/tools/module/load-tools.js';
import { toolSearch } from '../../src/tools/search/tool-search.js';
import { temporaryFile } from '../support/cli.js';
import { call, echo, type Tool, Toolbox } from './toolboxes.js';

const free: Tool = { ...echo, name: 'free', kind: 'freeform', outputSchema: { type: 'string' } };
const { signal } = new AbortController();

const declared = (type: string): string =>
  `exec tool declaration:\n\`\`\`ts\ndeclare const tools: { ${type}; };\n\`\`\``;

test('definitions go to the host with callable names, and with schemas as given', () => {
  assert.deepEqual(new Toolbox([echo, free]).definitions, [
    {
      name: 'get_user',
      tool_name: { name: 'get-user', namespace: null },
      description: `d\n\n${declared('get_user(args: { [key: string]: unknown; }): Promise<unknown>')}`,
      kind: 'function',
      input_schema: { type: 'object' },
      output_schema: null,
    },
    {
      name: 'free',
      tool_name: { name: 'free', namespace: null },
      description: `d\n\n${declared('free(input: string): Promise<string>')}`,
      kind: 'freeform',
      input_schema: { type: 'object' },
      output_schema: { type: 'string' },
    },
  ]);
});

test('a function tool gets its object, and an empty one for nothing', async () => {
  const box = new Toolbox([echo]);
  assert.deepEqual(await box.invoke(call('get-user', { id: 0 }), { signal }), { got: { id: 0 } });
  assert.deepEqual(await box.invoke(call('get-user', null), { signal }), { got: {} });
  assert.deepEqual(await box.invoke(call('get-user', undefined), { signal }), { got: {} });
});

test('a function tool refuses everything that is no object, false values included', async () => {
  for (const input of ['x', '', 0, false, true, [], [1]]) {
    await assert.rejects(new Toolbox([echo]).invoke(call('get-user', input), { signal }), {
      message: 'tool `get-user` expects a JSON object for arguments',
    });
  }
});

test('a freeform tool gets its string, also an empty one, and refuses everything else', async () => {
  const box = new Toolbox([free]);
  assert.deepEqual(await box.invoke(call('free', ''), { signal }), { got: '' });
  for (const input of [null, undefined, {}, 1, ['x']]) {
    await assert.rejects(box.invoke(call('free', input), { signal }), {
      message: 'tool `free` expects a string input',
    });
  }
});

test('a handler is told which call it serves', async () => {
  let seen: unknown;
  const box = new Toolbox([
    {
      ...echo,
      handler: (_input, context) => {
        seen = context;
      },
    },
  ]);
  await box.invoke(call('get-user', {}), { signal });
  assert.deepEqual(seen, { signal, cellId: '3', callId: 'tool-7' });
});

test('what a handler throws, at once or later, is the rejection', async () => {
  const now: Tool = {
    ...echo,
    handler: () => {
      throw new Error('now');
    },
  };
  const later: Tool = { ...echo, handler: () => Promise.reject(new Error('later')) };
  await assert.rejects(new Toolbox([now]).invoke(call('get-user', {}), { signal }), { message: 'now' });
  await assert.rejects(new Toolbox([later]).invoke(call('get-user', {}), { signal }), { message: 'later' });
});

test('an unknown tool, a foreign namespace and a name of Object.prototype are refused', async () => {
  const box = new Toolbox([echo]);
  await assert.rejects(box.invoke(call('nope', {}), { signal }), { message: 'unknown tool `nope`' });
  await assert.rejects(box.invoke(call('get-user', {}, 'mcp__x'), { signal }), {
    message: 'unknown tool `mcp__xget-user`',
  });
  await assert.rejects(box.invoke(call('constructor', {}), { signal }), { message: 'unknown tool `constructor`' });
});

test('a name may be in a toolbox once', () => {
  assert.throws(() => new Toolbox([echo, echo]), { code: 'invalid-argument' });
});

test('what a group says of itself stands between a tool and its declaration', () => {
  const [one] = new Toolbox([{ ...free, group: { name: 'mcp__s', description: 'Ask first.' } }]).definitions;
  assert.equal(one?.description, `d\n\nAsk first.\n\n${declared('free(input: string): Promise<string>')}`);
});

test('names that would become one are told apart, and the text says which is which', () => {
  const box = new Toolbox([echo, { ...echo, name: 'get.user' }, { ...echo, name: 'get_user' }]);
  const [dashed, dotted, same] = box.definitions;
  assert.equal(same?.name, 'get_user');
  assert.match(same?.description ?? '', /^d\n/);
  assert.match(dashed?.name ?? '', /^get_user_[0-9a-f]{4}$/);
  assert.equal(dashed?.tool_name.name, 'get-user');
  assert.match(dashed?.description ?? '', /^\("get-user"\) d\n/);
  assert.equal(dotted?.tool_name.name, 'get.user');
  assert.match(dotted?.description ?? '', /^\("get\.user"\) d\n/);
  assert.deepEqual(
    box.entries.map(({ tool, property }) => [tool.name, property]),
    box.definitions.map(({ name, tool_name }) => [tool_name.name, name]),
  );
});

test('a denied tool is not offered, and refused by name; the others keep their names', async () => {
  const twin: Tool = { ...echo, name: 'get.user' };
  const all = new Toolbox([echo, twin, free]);
  const box = new Toolbox([echo, twin, free], { allow: ['get*', 'misspelt'], deny: ['get-user'] });
  assert.deepEqual(
    box.definitions,
    all.definitions.filter(({ tool_name }) => tool_name.name === 'get.user'),
  );
  assert.deepEqual(box.unusedGlobs, ['misspelt']);
  for (const name of ['get-user', 'free']) {
    await assert.rejects(box.invoke(call(name, {}), { signal }), {
      code: 'invalid-argument',
      message: `tool \`${name}\` is not allowed by the policy of this run`,
    });
  }
  await assert.rejects(box.invoke(call('nope', {}), { signal }), { message: 'unknown tool `nope`' });
});

test('an input that does not fit its schema is refused before the handler', async () => {
  let made = 0;
  const inputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  const box = new Toolbox([{ ...echo, inputSchema, handler: () => (made += 1) }]);
  await assert.rejects(box.invoke(call('get-user', null), { signal }), {
    code: 'invalid-argument',
    message: 'tool `get-user`: `id` is missing (expected an integer)',
    data: { tool: 'get-user' },
  });
  assert.equal(made, 0);
  assert.equal(await box.invoke(call('get-user', { id: 1 }), { signal }), 1);
});

test('a tool whose schema cannot be used is called all the same, and says so', async () => {
  const box = new Toolbox([{ ...echo, inputSchema: { type: 'object', properties: { x: { $ref: '#/nope' } } } }, free]);
  assert.deepEqual(await box.invoke(call('get-user', { x: 1 }), { signal }), { got: { x: 1 } });
  assert.deepEqual(
    box.entries.map(({ unchecked }) => unchecked),
    ['`$ref: #/nope` leads nowhere that is known here', undefined],
  );
});

test('calls of a cell are counted until it is closed, for each session by itself', async () => {
  const box = new Toolbox([echo], { limits: { callsPerCell: 1 } });
  const invoke = (sessionId?: string): Promise<unknown> => box.invoke(call('get-user', {}), { signal, sessionId });
  for (const session of ['one', 'two', undefined]) {
    await invoke(session);
    await assert.rejects(invoke(session), /the most that one cell may make/);
  }
  box.cellClosed('3', { sessionId: 'one' });
  await invoke('one');
  await assert.rejects(invoke('two'), /the most that one cell may make/);
});

test('a call beyond those in flight waits, and is not made when its cell is over meanwhile', async () => {
  const gates: (() => void)[] = [];
  const slow: Tool = { ...echo, handler: () => new Promise<void>((open) => gates.push(open)) };
  const box = new Toolbox([slow], { limits: { callsInFlight: 2 } });
  const stop = new AbortController();
  const calls = [signal, signal, stop.signal, signal].map((one) => box.invoke(call('get-user', {}), { signal: one }));
  const given = assert.rejects(calls[2]!, { message: 'over' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(gates.length, 2);
  stop.abort(new Error('over'));
  await given;
  gates[0]?.();
  await calls[0];
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(gates.length, 3);
  for (const open of gates) open();
  await Promise.all([calls[1], calls[3]]);
});

test('a call whose cell is over before it begins is not made, and not counted', async () => {
  let made = 0;
  const box = new Toolbox([{ ...echo, handler: () => (made += 1) }], { limits: { callsPerCell: 1 } });
  await assert.rejects(box.invoke(call('get-user', {}), { signal: AbortSignal.abort(new Error('over')) }), /over/);
  assert.equal(made, 0);
  assert.equal(await box.invoke(call('get-user', {}), { signal }), 1);
});

test('progress is told while the call runs, and a listener that throws harms nobody', async () => {
  const told: unknown[] = [];
  let late = (): void => {};
  const tool: Tool = {
    ...echo,
    handler: (_, { progress }) => {
      progress?.({ progress: 1, total: 2 });
      late = () => progress?.({ progress: 2, total: 2 });
    },
  };
  const box = new Toolbox([tool]);
  const delegate = box.delegate({
    onProgress: ({ name }, progress) => {
      told.push([name, progress]);
      throw new Error('nobody listens');
    },
  });
  await delegate.invokeTool({ ...call('get-user', {}), kind: 'function' }, { signal });
  late();
  assert.deepEqual(told, [['get-user', { progress: 1, total: 2 }]]);
});

test('a misspelt limit is refused', () => {
  assert.throws(() => new Toolbox([echo], { limits: { callsPerCel: 1 } as object }), {
    code: 'invalid-argument',
    message:
      'new Toolbox: the option limits.callsPerCel is not known; did you mean limits.callsPerCell? known are callsPerCell, callsInFlight',
  });
});

test('many calls may share a signal without a warning of Node', async (t) => {
  const warnings: string[] = [];
  const hear = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', hear);
  t.after(() => process.off('warning', hear));
  const gates: (() => void)[] = [];
  const slow: Tool = { ...echo, handler: () => new Promise<void>((open) => gates.push(open)) };
  const box = new Toolbox([slow], { onToolCall: { before: () => {} }, limits: { callsInFlight: 50 } });
  const shared = new AbortController().signal;
  const calls = Array.from({ length: 100 }, () => box.invoke(call('get-user', {}), { signal: shared }));
  while (gates.length < 100) {
    await new Promise((resolve) => setImmediate(resolve));
    for (const open of gates) open();
  }
  await Promise.all(calls);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(warnings, []);
});

test('an option that is not known, or none, is refused', () => {
  for (const [options, message] of [
    [
      { denny: ['*'] },
      'new Toolbox: the option denny is not known; did you mean deny? known are allow, deny, onToolCall, limits, search, onWarning',
    ],
    [{ onToolcall: {} }, /: the option onToolcall is not known; did you mean onToolCall\? /],
    [{ search: 'yes' }, 'new Toolbox: search must be true or false, got a string'],
    [{ onWarning: 1 }, 'new Toolbox: onWarning must be a function, got 1'],
    [null, 'the options of new Toolbox must be an object, got null'],
    [{ limits: 3 }, 'new Toolbox: limits must be an object, got a number'],
  ] as const) {
    assert.throws(() => new Toolbox([echo], options as never), { code: 'invalid-argument', message });
  }
  assert.throws(() => new Toolbox([echo]).delegate({ onprogress: () => {} } as never), { code: 'invalid-argument' });
});

test('a tool that was made by hand is looked at like one of a module', () => {
  const broken = {
    ...echo,
    get kind(): never {
      throw new Error('no kind');
    },
  };
  for (const [tool, message] of [
    [undefined, 'tools[0] must be an object, got nothing'],
    [{ ...echo, name: ' ' }, 'tools[0]: name must be a non-empty string, got a string'],
    [{ ...echo, inputSchema: [] }, /^tool "get-user": inputSchema must be a JSON Schema/],
    [{ ...echo, outputSchema: 'x' }, /^tool "get-user": outputSchema must be a JSON Schema/],
    [{ ...echo, kind: 'custom' }, 'tool "get-user": kind must be "function" or "freeform", got "custom"'],
    [{ ...echo, group: 'g' }, /^tool "get-user": group must be an object with a name/],
    [{ ...echo, handler: 'x' }, 'tool "get-user": handler must be a function, got a string'],
    [broken, 'tools[0] cannot be read: no kind'],
  ] as const) {
    assert.throws(() => new Toolbox([tool as never]), { code: 'invalid-argument', message });
  }
  for (const tools of [undefined, null, echo]) {
    assert.throws(() => new Toolbox(tools as never), { message: /^tools must be an array of tools, got / });
  }
});

test('of two tools with one name the error says where both come from', async (t) => {
  const file = await temporaryFile(
    t,
    'tools.mjs',
    'export const tools = { x: { description: "d", inputSchema: {}, handler() {} } };',
  );
  const [one] = await loadTools([file]);
  const other = { ...echo, name: 'x', group: { name: 'mcp__y' } };
  assert.throws(() => new Toolbox([one!, other]), {
    code: 'invalid-argument',
    message: `tool "x" of ${file} is also a tool of the group \`mcp__y\`; give one of them another name, or leave one of them out`,
  });
  assert.throws(() => new Toolbox([echo, echo]), {
    message: 'tool "get-user" comes twice; give one of them another name',
  });
});

test('a call without a signal, or that is none, is refused', async () => {
  const box = new Toolbox([echo]);
  for (const args of [[call('get-user', {})], [], [call('get-user', {}), {}], [{ name: 'get-user' }, { signal }]]) {
    await assert.rejects(Reflect.apply(box.invoke, box, args), {
      code: 'invalid-argument',
      message: /^invoke takes the call/,
    });
  }
});

test('a handler is told its session', async () => {
  let seen: unknown;
  const box = new Toolbox([{ ...echo, handler: (_, { sessionId }) => (seen = sessionId) }]);
  await box.invoke(call('get-user', {}), { signal, sessionId: 's' });
  assert.equal(seen, 's');
});

/** A schema of nested objects. */
const deep = (levels: number): object => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { p: schema } };
  return schema;
};

test('a schema that cannot be sent stays behind, is told, and spoils nothing', async () => {
  const loop: { properties?: object } = {};
  loop.properties = { loop };
  for (const inputSchema of [deep(100), deep(3_000), loop, { const: 1n }]) {
    const warnings: string[] = [];
    const box = new Toolbox([{ ...echo, name: 'odd', inputSchema, outputSchema: inputSchema }, echo], {
      onWarning: (text) => warnings.push(text),
    });
    const [odd, fine] = box.definitions;
    assert.deepEqual([odd?.input_schema, odd?.output_schema, fine?.input_schema], [null, null, { type: 'object' }]);
    assert.ok((odd?.description ?? '').includes('declare const tools: { odd('));
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /^tool `odd`: its inputSchema is left out of what the host is told: \w/);
    assert.match(warnings[1] ?? '', /^tool `odd`: its outputSchema is left out/);
    await box.invoke(call('odd', {}), { signal });
  }
  assert.notEqual(new Toolbox([{ ...echo, inputSchema: deep(50) }]).definitions[0]?.input_schema, null);
});

test('that inputs are not checked is told once for each tool, and a listener that throws harms nobody', async () => {
  const inputSchema = { type: 'object', properties: { x: { $ref: '#/nope' } } };
  const warnings: string[] = [];
  const box = new Toolbox(
    [
      { ...echo, inputSchema },
      { ...echo, name: 'other', inputSchema: deep(300) },
    ],
    {
      onWarning: (text) => {
        warnings.push(text);
        throw new Error('nobody listens');
      },
    },
  );
  warnings.length = 0;
  for (const name of ['get-user', 'get-user', 'other', 'other']) await box.invoke(call(name, { x: 1 }), { signal });
  assert.deepEqual(warnings, [
    'tool `get-user`: its inputs are not checked, as its schema cannot be used: `$ref: #/nope` leads nowhere that is known here',
    'tool `other`: its inputs are not checked, as its schema cannot be used: it is nested deeper than 200 levels',
  ]);
});

test('a toolbox may have its own search, which allow need not name and deny may', async () => {
  const names = (tools: Tool[], options: object): (string | undefined)[] => {
    const box = new Toolbox(tools, { search: true, ...options });
    return [...box.entries.map(({ tool }) => tool.name), box.searchName];
  };
  assert.deepEqual(names([echo], {}), ['get-user', 'tool_search', 'tool_search']);
  assert.deepEqual(names([echo], { allow: ['get*'] }), ['get-user', 'tool_search', 'tool_search']);
  assert.deepEqual(names([echo], { deny: ['tool_search'] }), ['get-user', undefined]);
  assert.deepEqual(names([], {}), [undefined]);
  assert.deepEqual(names([echo], { search: false }), ['get-user', undefined]);
  const mine: Tool = { ...echo, name: 'tool_search' };
  assert.deepEqual(names([echo, mine], { allow: ['get*'] }), ['get-user', undefined]);
  assert.deepEqual(names([echo, mine], {}), ['get-user', 'tool_search', undefined]);
  assert.deepEqual(new Toolbox([echo], { deny: ['tool_search'], search: true }).unusedGlobs, []);
  const box = new Toolbox([echo], { search: true });
  const answer = await box.invoke(call('tool_search', { query: 'user' }), { signal });
  assert.deepEqual(
    (answer as { results: { name: string }[] }).results.map(({ name }) => name),
    ['get_user'],
  );
  const byHand: Toolbox = new Toolbox([echo, toolSearch(() => byHand.entries)]);
  assert.equal(byHand.searchName, 'tool_search');
});

test('what a server says of itself is short at each of its tools', () => {
  const about = 'Words about a server. '.repeat(1_000);
  const tools = Array.from({ length: 3 }, (_, at) => ({
    ...echo,
    name: `t${at}`,
    group: { name: 'g', description: about },
  }));
  for (const { description } of new Toolbox(tools).definitions) {
    assert.ok(description.length < 2_300, String(description.length));
    assert.match(description, /^d\n\nWords about a server\. /);
  }
});
