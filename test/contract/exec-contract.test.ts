import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerTo } from '../../src/contract/answer.js';
import { answerForError, ExecContract } from '../../src/contract/index.js';
import { CodemodeError } from '../../src/errors.js';
import { Toolbox } from '../../src/tools/toolbox.js';
import { observation, text } from '../support/observation.js';
import { fakeSession, never, noTools, said, says, timeless } from './fake-session.js';
import { refusals } from './refusals.js';

const done = (...words: string[]) => Promise.resolve(observation('result', words));
const off = { toolbox: noTools, preflight: 'off' } as const;

test('an answer is the heading, then what the cell has put out', async () => {
  const session = fakeSession({ initial: done('a', 'b') });
  const answer = await new ExecContract(session, off).exec('text("a")', { toolCallId: 'call_7' });
  assert.deepEqual(said(answer), {
    status: 'completed',
    success: true,
    cellId: '1',
    text: 'Script completed\nWall time\nOutput:\na\nb',
  });
  assert.deepEqual(answer.items.slice(1), [text('a'), text('b')]);
  assert.match(
    JSON.stringify(answer.items[0]),
    /^{"type":"input_text","text":"Script completed\\nWall time \d+\.\d seconds\\nOutput:\\n"}$/,
  );
  assert.deepEqual(session.execute.mock.calls[0]?.arguments[0], {
    source: 'text("a")',
    tools: [],
    toolCallId: 'call_7',
    yieldTimeMs: 10_000,
    maxOutputTokens: 10_000,
  });
});

test('the wall time has one decimal', () => {
  const facts = { cellId: '1', findings: [], maxOutputTokens: 1 };
  const times = [0, 49, 51, 12_345].map((ms) => answerTo(observation('result'), { ...facts, ms }).text);
  assert.deepEqual(
    times.map((one) => one.split('\n')[1]),
    ['0.0', '0.0', '0.1', '12.3'].map((seconds) => `Wall time ${seconds} seconds`),
  );
});

test('a cell that goes on is answered with its ID, which wait takes', async () => {
  const session = fakeSession({ initial: Promise.resolve(observation('yielded', ['a'])), wait: () => done('b') });
  const contract = new ExecContract(session, { ...off, defaultYieldTimeMs: 7, defaultMaxOutputTokens: 8 });
  const first = await contract.exec('// @exec: {"yield_time_ms": 5}\nx');
  assert.deepEqual(said(first), {
    status: 'running',
    success: true,
    cellId: '1',
    text: 'Script running with cell ID 1\nWall time\nOutput:\na',
  });
  const { source, yieldTimeMs, maxOutputTokens } = session.execute.mock.calls[0]!.arguments[0];
  assert.deepEqual([source, yieldTimeMs, maxOutputTokens], ['x', 5, 8]);
  assert.equal((await contract.wait({ cell_id: '1' })).text.split('\n').at(-1), 'b');
  await contract.wait('{"cell_id": 1, "yield_time_ms": 3, "max_tokens": 4}');
  assert.deepEqual(
    session.wait.mock.calls.map((call) => call.arguments),
    [
      ['1', { yieldTimeMs: 7, maxOutputTokens: 8 }],
      ['1', { yieldTimeMs: 3, maxOutputTokens: 4 }],
    ],
  );
});

test('a failed cell ends in its error, also where a host has cut the output already', async () => {
  const run = async (words: readonly string[], errorText: string) => {
    const session = fakeSession({ initial: Promise.resolve(observation('result', words, { errorText })) });
    const answer = await new ExecContract(session, off).exec('// @exec: {"max_output_tokens": 10}\nx');
    assert.deepEqual([answer.status, answer.success], ['failed', false]);
    return answer.items.slice(1).map((item) => (item.type === 'input_text' ? item.text : item.type));
  };
  assert.deepEqual(await run(['a'], 'boom'), ['a', 'Script error:\nboom']);
  assert.deepEqual(await run(['aaa…9 tokens truncated…ror:\nboom'], 'boom'), ['aaa…9 tokens truncated…ror:\nboom']);
  assert.deepEqual(await run(['aaa…9 tokens truncated…bbb'], 'boom'), [
    'aaa…9 tokens truncated…bbb',
    'Script error:\nboom',
  ]);
  assert.match(
    (await run([], 'x'.repeat(5_000)))[0]!,
    /^Warning: truncated output[\s\S]*…1244 tokens truncated…x{20}$/,
  );
});

test('whatever the model does wrong is an answer, and no cell is made', async () => {
  const session = fakeSession({});
  const contract = new ExecContract(session, { toolbox: noTools });
  for (const [input, expected] of [
    ...refusals,
    [undefined, /^exec expects raw/] as const,
    [{}, /^exec expects raw/] as const,
  ]) {
    const answer = await contract.exec(input);
    assert.deepEqual([answer.status, answer.success, answer.cellId], ['refused', false, null]);
    assert.deepEqual(answer.items, [text(answer.text)]);
    if (typeof expected === 'string') assert.equal(answer.text, expected);
    else assert.match(answer.text, expected);
  }
  const answer = await contract.wait({ cell: '1' });
  assert.deepEqual([answer.status, answer.success], ['refused', false]);
  assert.match(answer.text, /^failed to parse function arguments: unknown field `cell`/);
  assert.equal(session.execute.mock.callCount() + session.wait.mock.callCount(), 0);
});

test('errors about one call are answers; those that the harness has to know reject', async () => {
  const failing = (code: 'operation-failed' | 'stale-cell' | 'host-exited') => {
    const error = new CodemodeError(code, `because of ${code}`);
    const contract = new ExecContract(
      fakeSession({ initial: Promise.reject(error), wait: () => Promise.reject(error) }),
      off,
    );
    return [contract.exec('x'), contract.wait({ cell_id: '1' })] as const;
  };
  for (const code of ['operation-failed', 'stale-cell'] as const) {
    for (const answer of await Promise.all(failing(code)))
      assert.deepEqual(said(answer), { status: 'refused', success: false, cellId: '1', text: `because of ${code}` });
  }
  const lost = await Promise.allSettled(failing('host-exited'));
  for (const one of lost) {
    assert.equal(one.status, 'rejected');
    assert.equal(one.reason.code, 'host-exited');
    assert.equal(answerForError(one.reason).text, 'because of host-exited');
  }
});

test('what preflight repairs is told in the heading, and the settings in a fence count', async () => {
  const session = fakeSession({ initial: done('2') });
  const contract = new ExecContract(session, { toolbox: noTools });
  const answer = await contract.exec('```js\n// @exec: {"yield_time_ms": 5}\ntext(1 + 1)\n```');
  assert.match(
    timeless(answer.text),
    /^Script completed\nWall time\nNote on line 1 \(repaired\): .*Markdown.*\n(?:Note .*\n)*Output:\n2$/,
  );
  assert.deepEqual(answer.findings.map(({ code, fixed }) => [code, fixed])[0], ['code-fence', true]);
  const { source, yieldTimeMs } = session.execute.mock.calls[0]!.arguments[0];
  assert.equal(yieldTimeMs, 5);
  assert.match(source, /text\(1 \+ 1\)/);
  const refusal = await contract.exec('```js\n// @exec: {"timeout": 5}\ntext(1 + 1)\n```');
  assert.equal(refusal.status, 'refused');
});

test('preflight reports without repairs, or not at all, as it is told', async () => {
  const input = 'console.log(1)';
  const run = async (preflight: 'off' | 'report' | 'fix') => {
    const session = fakeSession({ initial: done() });
    const { text: all } = await new ExecContract(session, { toolbox: noTools, preflight }).exec(input);
    return [session.execute.mock.calls[0]!.arguments[0].source === input, /Note on line 1/.test(all)];
  };
  assert.deepEqual(await run('off'), [true, false]);
  assert.deepEqual(await run('report'), [true, true]);
});

test('notes have a limit, and the harness gets all of them', async () => {
  const source = Array.from({ length: 9 }, (_, index) => `tools.nothing${index}({});`).join('\n');
  const answer = await new ExecContract(fakeSession({ initial: done() }), {
    toolbox: noTools,
    preflight: 'report',
  }).exec(source);
  assert.ok(answer.findings.length >= 9);
  assert.equal(answer.text.match(/^Note on line/gm)?.length, 5);
  assert.match(answer.text, new RegExp(`^And ${answer.findings.length - 5} more notes\\.$`, 'm'));
});

test('an interrupted exec ends its cell, and answers what the cell has put out', async () => {
  const abort = new AbortController();
  let tell = (_: ReturnType<typeof observation>): void => undefined;
  const initial = new Promise<ReturnType<typeof observation>>((resolve) => {
    tell = resolve;
  });
  const ended = observation('terminated', ['a']);
  const session = fakeSession({
    initial,
    terminate: () => {
      tell(ended);
      return Promise.resolve(ended);
    },
  });
  const answering = new ExecContract(session, off).exec('x', { signal: abort.signal });
  while (session.execute.mock.callCount() === 0) await new Promise(setImmediate);
  await new Promise(setImmediate);
  abort.abort();
  assert.equal(session.terminate.mock.callCount(), 1);
  assert.deepEqual(said(await answering), {
    status: 'terminated',
    success: true,
    cellId: '1',
    text: 'Script terminated\nWall time\nOutput:\na',
  });
});

test('a cell that yields at the moment of the interruption loses nothing', async () => {
  const abort = new AbortController();
  const initial = () =>
    new Promise<ReturnType<typeof observation>>((resolve) => {
      setImmediate(() => {
        abort.abort();
        resolve(observation('yielded', ['a']));
      });
    });
  const session = fakeSession({ initial, terminate: async () => observation('terminated', ['b']) });
  const answer = await new ExecContract(session, off).exec('x', { signal: abort.signal });
  assert.equal(answer.status, 'terminated');
  assert.deepEqual(answer.items.slice(1), [text('a'), text('b')]);
});

test('a cell that was quicker than its interruption has completed', async () => {
  const abort = new AbortController();
  const missing = observation('result', [], { missing: true, errorText: 'exec cell 1 not found' });
  const session = fakeSession({ wait: () => done('a'), terminate: async () => missing });
  const contract = new ExecContract(session, off);
  const answering = contract.wait({ cell_id: '1' }, { signal: abort.signal });
  abort.abort();
  assert.equal((await answering).status, 'completed');
});

test('a host that does not answer an interruption holds nobody up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const abort = new AbortController();
  const answering = new ExecContract(fakeSession({}), off).wait({ cell_id: '1' }, { signal: abort.signal });
  abort.abort();
  for (const ms of [2_000, 500]) {
    await new Promise(setImmediate);
    t.mock.timers.tick(ms);
  }
  const { status, cellId } = await answering;
  assert.deepEqual([status, cellId], ['terminated', '1']);
});

test('an interruption before the cell exists makes none, or has none to name', async () => {
  const session = fakeSession({
    execute: (signal) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new CodemodeError('cancelled', 'code-mode request cancelled'))),
      ),
  });
  const contract = new ExecContract(session, off);
  const expected = {
    status: 'terminated',
    success: true,
    cellId: null,
    text: 'Script terminated\nWall time\nOutput:\n',
  };
  assert.deepEqual(said(await contract.exec('x', { signal: AbortSignal.abort() })), expected);
  assert.equal(session.execute.mock.callCount(), 0);
  const abort = new AbortController();
  const answering = contract.exec('x', { signal: abort.signal });
  while (session.execute.mock.callCount() === 0) await new Promise(setImmediate);
  abort.abort();
  assert.deepEqual(said(await answering), expected);
});

test('a wait that is interrupted from the start only ends the cell', async () => {
  const session = fakeSession({ terminate: async () => observation('terminated', ['a']) });
  const contract = new ExecContract(session, off);
  for (const terminate of [false, true]) {
    const answer = await contract.wait({ cell_id: '1', terminate }, { signal: AbortSignal.abort() });
    assert.deepEqual([answer.status, answer.items.length], ['terminated', 2]);
  }
  assert.deepEqual([session.wait.mock.callCount(), session.terminate.mock.callCount()], [0, 2]);
  // With the aborted signal a session would not even ask its host.
  assert.deepEqual(
    session.terminate.mock.calls.map((call) => call.arguments[2]),
    [undefined, undefined],
  );
});

test('wait with terminate ends the cell', async () => {
  const session = fakeSession({ terminate: async () => observation('terminated') });
  const answer = await new ExecContract(session, off).wait({ cell_id: '1', terminate: true, max_tokens: 9 });
  assert.equal(answer.status, 'terminated');
  assert.deepEqual(session.terminate.mock.calls[0]?.arguments.slice(0, 2), ['1', { maxOutputTokens: 9 }]);
});

test('yieldNow asks for the answer of every cell that somebody waits for, and of no other', async () => {
  const session = fakeSession({ initial: done(), wait: never });
  const contract = new ExecContract(session, off);
  await contract.exec('x');
  assert.equal(contract.yieldNow(), 0);
  void contract.wait({ cell_id: '3' });
  void contract.wait({ cell_id: '5' });
  assert.equal(contract.yieldNow(), 2);
  assert.deepEqual(
    session.yieldNow.mock.calls.map(({ arguments: [id] }) => id),
    ['3', '5'],
  );
});

test('pictures and sounds are items, and have a word in the text', async () => {
  const items = [
    text('a'),
    { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'high' },
    { type: 'input_audio', audio_url: 'data:audio/wav;base64,AA==' },
  ] as const;
  const session = fakeSession({ initial: Promise.resolve(observation('result', [], { items })) });
  const answer = await new ExecContract(session, off).exec('x');
  assert.deepEqual(answer.items.slice(1), items);
  assert.match(answer.text, /Output:\na\n\[image\]\n\[audio\]$/);
});

test('numbers beyond what hosts can count, and half characters, do no harm', async () => {
  const session = fakeSession({ initial: done() });
  await new ExecContract(session, off).exec(
    '// @exec: {"yield_time_ms": 9007199254740991, "max_output_tokens": 9007199254740991}\ntext("\ud800")',
  );
  const { source, yieldTimeMs, maxOutputTokens } = session.execute.mock.calls[0]!.arguments[0];
  assert.deepEqual([source, yieldTimeMs, maxOutputTokens], ['text("\ufffd")', 2 ** 31 - 1, 2 ** 31 - 1]);
});

test('the tools follow the toolbox, and say which defaults count', () => {
  let toolbox = new Toolbox([says('first')]);
  const contract = new ExecContract(fakeSession({}), { toolbox: () => toolbox });
  const [exec, wait] = contract.tools;
  assert.deepEqual([exec.kind, exec.name, wait.kind, wait.name], ['freeform', 'exec', 'function', 'wait']);
  assert.match(exec.description, /### `first`/);
  toolbox = new Toolbox([says('second')]);
  assert.match(contract.tools[0].description, /### `second`/);
  assert.doesNotMatch(contract.tools[0].description, /first`/);
  const other = new ExecContract(fakeSession({}), { toolbox, defaultYieldTimeMs: 777, defaultMaxOutputTokens: 888 })
    .tools;
  assert.match(other[0].description, /\/\/ @exec: {"yield_time_ms": 777, "max_output_tokens": 888}/);
  assert.match(other[1].description, /`yield_time_ms`.*\(777\)[\s\S]*`max_tokens`.*\(888\)/);
  assert.doesNotMatch(JSON.stringify(other), /10000/);
  const { properties } = other[1].inputSchema as { properties: Record<string, { default: number }> };
  assert.deepEqual([properties.yield_time_ms?.default, properties.max_tokens?.default], [777, 888]);
});

test('a description that leaves tools out names the tool that finds them', () => {
  const many = Array.from({ length: 300 }, (_, index) => says(`tool_number_${index}`));
  const box: Toolbox = new Toolbox(many, { search: true });
  const [exec] = new ExecContract(fakeSession({}), { toolbox: box, maxTokens: 3_000 }).tools;
  assert.match(exec.description, /await tools\.tool_search\(/);
});

test('models without freeform tools get exec as a function', async () => {
  const session = fakeSession({ initial: done('1') });
  const contract = new ExecContract(session, { toolbox: noTools });
  const [exec] = contract.functionTools;
  assert.deepEqual([exec.kind, Object.keys(Object(exec.inputSchema).properties)], ['function', ['source']]);
  assert.equal((await contract.exec({ source: 'text(1)' })).status, 'completed');
  assert.equal(session.execute.mock.calls[0]?.arguments[0].source, 'text(1)');
});

test('options that cannot be used are refused', () => {
  const make = (options: object) => () => new ExecContract(fakeSession({}), { toolbox: noTools, ...options });
  for (const options of [
    { toolbox: [] },
    { preflight: 'on' },
    { defaultYieldTimeMs: -1 },
    { defaultMaxOutputTokens: 0.5 },
  ])
    assert.throws(make(options), { name: 'CodemodeError', code: 'invalid-argument' });
  assert.throws(() => new ExecContract({} as never, { toolbox: noTools }), { code: 'invalid-argument' });
});

test('an option that is not known is refused by name, and no session is opened', async () => {
  const host = { openSession: () => assert.fail('opened') };
  const onNotfy = (): void => {};
  for (const [options, option, meant] of [
    [{ onNotfy }, 'onNotfy', 'onNotify'],
    [{ maxToken: 1 }, 'maxToken', 'maxTokens'],
  ] as const)
    await assert.rejects(ExecContract.open(host, { toolbox: noTools, ...options }), {
      code: 'invalid-argument',
      message: new RegExp(
        `^ExecContract.open: the option ${option} is not known; did you mean ${meant}[?] known are toolbox, `,
      ),
      data: { call: 'ExecContract.open', option },
    });
  // A session of the caller's own has been given its listeners already: here they would do nothing.
  const onNotify = onNotfy;
  assert.throws(() => new ExecContract(fakeSession({}), { toolbox: noTools, onNotify } as never), {
    code: 'invalid-argument',
    message: /^new ExecContract: the option onNotify is not known/,
  });
});
