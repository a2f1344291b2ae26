import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, echo, type Tool, Toolbox, type ToolHooks } from './toolboxes.js';

const { signal } = new AbortController();
const boxed = (onToolCall: ToolHooks, ...tools: Tool[]): Toolbox => new Toolbox([echo, ...tools], { onToolCall });

test('a hook is told which call it is about, and lets it be by answering nothing', async () => {
  const seen: unknown[] = [];
  const box = boxed({
    before: (asked, context) => {
      seen.push(asked, context);
    },
  });
  const answer = await box.invoke(call('get-user', { id: 1 }), { signal, sessionId: 's' });
  assert.deepEqual(answer, { got: { id: 1 } });
  const asked = {
    name: 'get-user',
    property: 'get_user',
    sessionId: 's',
    cellId: '3',
    callId: 'tool-7',
    input: { id: 1 },
  };
  assert.deepEqual(seen, [asked, { signal }]);
});

test('a denied call is not made, and its text is the rejection', async () => {
  let made = 0;
  const tool: Tool = { ...echo, name: 'counted', handler: () => (made += 1) };
  const box = boxed({ before: async () => ({ deny: 'Ask me on Monday.' }) }, tool);
  await assert.rejects(box.invoke(call('counted', {}), { signal }), { message: 'Ask me on Monday.' });
  assert.equal(made, 0);
});

test('a hook may change the input, which is then looked at like any other', async () => {
  const strict = { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false };
  const tool: Tool = { ...echo, name: 'strict', inputSchema: strict };
  const free: Tool = { ...echo, name: 'free', kind: 'freeform' };
  const given = (input: unknown): Toolbox => boxed({ before: () => ({ input }) }, tool, free);
  assert.deepEqual(await given({ id: 2 }).invoke(call('strict', { id: 'x' }), { signal }), { got: { id: 2 } });
  assert.deepEqual(await given({ id: undefined }).invoke(call('strict', {}), { signal }), { got: {} });
  assert.deepEqual(await given('s').invoke(call('free', 'x'), { signal }), { got: 's' });
  await assert.rejects(given({ id: '2' }).invoke(call('strict', {}), { signal }), {
    message: 'tool `strict`: `id` must be an integer, got "2"',
  });
  await assert.rejects(given([1]).invoke(call('strict', {}), { signal }), {
    message: 'tool `strict` expects a JSON object for arguments',
  });
  await assert.rejects(given({}).invoke(call('free', 'x'), { signal }), {
    message: 'tool `free` expects a string input',
  });
});

test('a hook that fails, or answers what is no answer, denies the call', async () => {
  const rejection = (before: unknown): Promise<string> =>
    boxed({ before } as ToolHooks)
      .invoke(call('get-user', {}), { signal })
      .then(
        () => 'called',
        (error: Error) => error.message,
      );
  const thrown = (value: unknown) => (): never => {
    throw value;
  };
  assert.equal(await rejection(thrown(new Error('no policy server'))), 'no policy server');
  assert.equal(await rejection(() => Promise.reject(new Error('later'))), 'later');
  assert.equal(await rejection(thrown('a text')), 'a text');
  assert.equal(await rejection(thrown(null)), 'tool `get-user`: the check before the call failed');
  assert.equal(await rejection(() => ({ deny: '' })), 'tool `get-user`: the call was denied');
  for (const answer of [true, false, null, 'deny', {}, { denied: 'x' }, { deny: 1 }, { deny: 'x', input: {} }, []]) {
    assert.match(
      await rejection(() => answer),
      /^tool `get-user` is not called: the hook before it must answer nothing, \{ deny: text \} or \{ input \}, got /,
      JSON.stringify(answer),
    );
  }
});

test('after each call its outcome is told: result, failure, refusal, denial', async () => {
  const seen: unknown[] = [];
  const fails: Tool = { ...echo, name: 'fails', handler: () => Promise.reject(new Error('disk full')) };
  const needs: Tool = { ...echo, name: 'needs', inputSchema: { type: 'object', required: ['x'] } };
  const box = boxed(
    {
      before: ({ name }) =>
        name === 'get-user' ? { input: { changed: true } } : name === 'bad' ? { deny: 'no' } : undefined,
      after: ({ name, input }, outcome) => {
        seen.push([name, input, outcome.ok ? outcome.value : (outcome.error as Error).message]);
      },
    },
    fails,
    needs,
    { ...echo, name: 'bad' },
  );
  await box.invoke(call('get-user', {}), { signal });
  for (const name of ['fails', 'needs', 'bad']) await assert.rejects(box.invoke(call(name, {}), { signal }));
  assert.deepEqual(seen, [
    ['get-user', { changed: true }, { got: { changed: true } }],
    ['fails', {}, 'disk full'],
    ['needs', {}, 'tool `needs`: `x` is missing'],
    ['bad', {}, 'no'],
  ]);
});

test('what comes after a call does not change its outcome', async () => {
  const heard: unknown[] = [];
  const after = () => {
    throw new Error('the log is full');
  };
  const loud = boxed({ after, onError: (error, { name }) => heard.push([(error as Error).message, name]) });
  assert.deepEqual(await loud.invoke(call('get-user', {}), { signal }), { got: {} });
  assert.deepEqual(heard, [['the log is full', 'get-user']]);
  assert.deepEqual(await boxed({ after }).invoke(call('get-user', {}), { signal }), { got: {} });
  const onError = after;
  assert.deepEqual(await boxed({ after, onError }).invoke(call('get-user', {}), { signal }), { got: {} });
});

test('nobody waits for a hook when the cell is over, and the call is not made', async () => {
  for (const stuck of ['before', 'after'] as const) {
    const stop = new AbortController();
    let made = 0;
    const tool: Tool = { ...echo, name: 'counted', handler: () => (made += 1) };
    let asked = (): void => {};
    const reached = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const hook = (): Promise<undefined> => {
      asked();
      return new Promise(() => {});
    };
    const running = boxed({ [stuck]: hook }, tool).invoke(call('counted', {}), { signal: stop.signal });
    await reached;
    stop.abort(new Error('the cell is over'));
    if (stuck === 'before') await assert.rejects(running, { message: 'the cell is over' });
    else assert.equal(await running, 1);
    assert.equal(made, stuck === 'before' ? 0 : 1);
  }
});

test('only the question before the call is held', async () => {
  const steps: string[] = [];
  const tool: Tool = { ...echo, name: 'work', handler: () => steps.push('work') };
  const hold = async <T>(work: () => Promise<T>): Promise<T> => {
    steps.push('held');
    try {
      return await work();
    } finally {
      steps.push('released');
    }
  };
  const before = () => {
    steps.push('before');
  };
  const after = () => {
    steps.push('after');
  };
  await boxed({ before, after }, tool).invoke(call('work', {}), { signal, hold });
  assert.deepEqual(steps, ['held', 'before', 'released', 'work', 'after']);
  steps.length = 0;
  await boxed({ after }, tool).invoke(call('work', {}), { signal, hold });
  assert.deepEqual(steps, ['work', 'after']);
});

test('hooks that would never be called are refused', () => {
  for (const [hooks, message, option] of [
    [
      { befor: () => {}, after: () => {} },
      'the option onToolCall.befor is not known; did you mean onToolCall.before? known are before, after, onError',
      'onToolCall.befor',
    ],
    [{ before: true }, 'onToolCall.before must be a function, got a boolean', 'onToolCall.before'],
    [{}, 'onToolCall must be an object with a function `before` or `after`, got an object', 'onToolCall'],
    [null, 'onToolCall must be an object, got null', 'onToolCall'],
    [() => {}, 'onToolCall must be an object with a function `before` or `after`, got a function', 'onToolCall'],
  ] as const) {
    assert.throws(() => new Toolbox([echo], { onToolCall: hooks as ToolHooks }), {
      code: 'invalid-argument',
      message: `new Toolbox: ${message}`,
      data: { call: 'new Toolbox', option },
    });
  }
});

test('hooks may be an object of a class, with fields of its own', async () => {
  class Audit {
    readonly names: string[] = [];
    before({ name }: { name: string }): void {
      this.names.push(name);
    }
  }
  const audit = new Audit();
  await boxed(audit).invoke(call('get-user', {}), { signal });
  assert.deepEqual(audit.names, ['get-user']);
});

test('a hook that was given up says nothing about the call: its cell is over', async () => {
  const stop = new AbortController();
  const box = boxed({
    before: () => {
      stop.abort(new Error('the cell is over'));
      throw new Error('nobody to ask');
    },
  });
  await assert.rejects(box.invoke(call('get-user', {}), { signal: stop.signal }), { message: 'the cell is over' });
});

test('a hook may throw what cannot be read', async () => {
  const odd = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('never');
    },
  });
  for (const thrown of [odd, { toString: null }]) {
    const before = () => {
      throw thrown;
    };
    await assert.rejects(boxed({ before }).invoke(call('get-user', {}), { signal }), {
      code: 'invalid-argument',
      message: 'tool `get-user`: the check before the call failed',
    });
  }
});
