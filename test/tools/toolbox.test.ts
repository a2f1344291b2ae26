import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../../src/tools/tool.js';
import { Toolbox, type ToolRequest } from '../../src/tools/toolbox.js';

const echo: Tool = {
  name: 'get-user',
  description: 'd',
  inputSchema: { type: 'object' },
  handler: (input) => ({ got: input }),
};
const free: Tool = { ...echo, name: 'free', kind: 'freeform', outputSchema: { type: 'string' } };
const { signal } = new AbortController();

const call = (name: string, input: unknown, namespace: string | null = null): ToolRequest => ({
  cellId: '3',
  callId: 'tool-7',
  name,
  namespace,
  input,
});

test('definitions go to the host with names and schemas as given', () => {
  assert.deepEqual(new Toolbox([echo, free]).definitions, [
    {
      name: 'get-user',
      tool_name: { name: 'get-user', namespace: null },
      description: 'd',
      kind: 'function',
      input_schema: { type: 'object' },
      output_schema: null,
    },
    {
      name: 'free',
      tool_name: { name: 'free', namespace: null },
      description: 'd',
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
