import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastEvent, parseEvents, runCli, temporaryFile } from '../support/cli.js';
import { echoTool, moreTools } from './tool-files.js';

test('several tool modules are one set of tools, named or default exports', async (t) => {
  const source = `text(await tools.echo({ a: [1, null, 'é'] }));
    text(await tools.say_hello({ name: 'you' }));
    text(await tools.shout('loud'));
    text(ALL_TOOLS.map(({ name }) => name).sort().join());`;
  const { code, stdout, stderr } = await runCli(t, ['--tools', echoTool, '--tools', moreTools, '-e', source]);
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.split('\n');
  assert.deepEqual(lines.slice(0, 3), ['{"a":[1,null,"é"]}', 'hello you', 'LOUD']);
  assert.match(lines[3] ?? '', /big,echo,fail,say.hello,shout/);
});

test('the failure of a tool is an error that the cell can catch', async (t) => {
  const source = "try { await tools.fail({}) } catch (error) { text('caught: ' + error) }";
  const { code, stdout, stderr } = await runCli(t, ['--json', '--tools', moreTools, '-e', source]);
  const events = parseEvents(stdout);
  assert.deepEqual([code, stderr], [0, '']);
  const { name, ok, error, id } = events.find(({ type }) => type === 'tool-result') ?? { type: '' };
  assert.deepEqual([name, ok, error], ['fail', false, 'the disk is full']);
  assert.equal(events.find(({ type }) => type === 'tool-call')?.id, id);
  assert.match(JSON.stringify(events.find(({ type }) => type === 'content')), /caught: .*the disk is full/);
});

test('the failure of a tool that is not caught fails the cell', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['--tools', moreTools, '-e', 'await tools.fail({})']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /the disk is full/);
});

test('one failure spoils no other call', async (t) => {
  const source = `const calls = [1, 2, 3, 4].map((i) => tools.echo({ i }));
    const all = await Promise.allSettled([...calls, tools.fail({})]);
    text(all.map(({ status }) => status[0]).join(''))`;
  const { code, stdout } = await runCli(t, ['--tools', echoTool, '--tools', moreTools, '-e', source]);
  assert.deepEqual([code, stdout], [0, 'ffffr\n']);
});

test('a fast answer does not wait for a slow one', async (t) => {
  const file = await temporaryFile(
    t,
    'gate.tools.mjs',
    `let open;
    const gate = new Promise((resolve) => { open = resolve; });
    const tool = (handler) => ({ description: 'A gate.', inputSchema: {}, handler });
    export const tools = { slow: tool(() => gate), fast: tool(() => 'fast'), release: tool(() => open('slow')) };`,
  );
  const source = `const order = [];
    const slow = tools.slow({}).then((name) => order.push(name));
    await tools.fast({}).then((name) => order.push(name));
    await tools.release({});
    await slow;
    text(order.join());`;
  const { code, stdout } = await runCli(t, ['--tools', file, '-e', source]);
  assert.deepEqual([code, stdout], [0, 'fast,slow\n']);
});

test('a hundred calls at once, and a thousand in a row', async (t) => {
  const source = `const all = await Promise.all(Array.from({ length: 100 }, (_, i) => tools.echo({ i })));
    let sum = 0;
    for (let i = 0; i < 1000; i += 1) sum += (await tools.echo({ i })).i;
    text(all.every(({ i }, at) => i === at) + ' ' + sum);`;
  const { code, stdout } = await runCli(t, ['--tools', echoTool, '-e', source]);
  assert.deepEqual([code, stdout], [0, 'true 499500\n']);
});

test('a tool that is still busy when its cell ends is told, and delays nothing', async (t) => {
  const file = await temporaryFile(
    t,
    'busy.tools.mjs',
    `export const tools = { busy: { description: 'Never ends.', inputSchema: {}, handler: (_, { signal }) =>
      new Promise(() => signal.addEventListener('abort', () => process.stderr.write('told\\n'))) } };`,
  );
  // The answer to the second call shows that the first has begun.
  const source = 'void tools.busy({}); await tools.echo({}); text("done")';
  const { code, stdout, stderr } = await runCli(t, ['--tools', file, '--tools', echoTool, '-e', source]);
  assert.deepEqual([code, stdout, stderr], [0, 'done\n', 'told\n']);
});

test('a tool is not called for a cell that has ended already', async (t) => {
  const file = await temporaryFile(
    t,
    'late.tools.mjs',
    `export const tools = { late: { description: 'Tells when it is called in vain.', inputSchema: {},
      handler: (_, { signal }) => { if (signal.aborted) process.stderr.write('called in vain\\n'); } } };`,
  );
  const { code, stdout, stderr } = await runCli(t, ['--tools', file, '-e', 'void tools.late({}); text("done")']);
  assert.deepEqual([code, stdout, stderr], [0, 'done\n', '']);
});

test('a tool that throws where nobody can catch it ends the run with a word on that', async (t) => {
  const file = await temporaryFile(
    t,
    'throws.tools.mjs',
    `export const tools = { late: { description: 'Throws later.', inputSchema: {}, handler: () =>
      new Promise(() => setTimeout(() => { throw new RangeError('too\\nlate') }, 1)) } };`,
  );
  const { CliRun } = await import('../support/cli.js');
  const run = new CliRun(t, ['--json', '--tools', file, '-e', 'await tools.late({})']);
  const { code, stdout } = await run.ended;
  const last = lastEvent(stdout);
  assert.deepEqual([code, last.type, last.code], [1, 'error', 'uncaught']);
  assert.equal(last.message, 'an error that nobody caught, probably in a tool: RangeError: too\\nlate');
  const { frames } = last.data as { frames: string[] };
  assert.ok(frames.length > 0 && frames.every((frame) => /^at .*throws\.tools\.mjs:/.test(frame)), frames.join());
  await run.nothingLeft();
});

for (const [title, text, message] of [
  ['no export', 'export const other = 1;', /bad\.tools\.mjs: must export an object named `tools`/],
  ['a tool that is no object', 'export const tools = { a: 1 };', /bad\.tools\.mjs: tool "a" must be an object/],
  [
    'a field of the wrong kind',
    'export const tools = { a: { description: 7 } };',
    /bad\.tools\.mjs: tool "a": description must be/,
  ],
  [
    'no handler',
    "export const tools = { a: { description: 'A.', inputSchema: {} } };",
    /bad\.tools\.mjs: tool "a": handler must be/,
  ],
  ['a syntax error', 'export const tools = {', /bad\.tools\.mjs: cannot be loaded: SyntaxError/],
  ['a throw at its top', "throw new Error('no licence');", /bad\.tools\.mjs: cannot be loaded: Error: no licence/],
] as const) {
  test(`a bad tool module is a usage error that names the place: ${title}`, async (t) => {
    const file = await temporaryFile(t, 'bad.tools.mjs', text);
    const { code, stdout, stderr } = await runCli(t, ['--tools', file, '-e', 'text(1)']);
    assert.deepEqual([code, stdout, stderr.split('\n').length], [2, '', 2], stderr);
    assert.match(stderr, message);
  });
}

test('a tool that is defined twice names both files', async (t) => {
  const { code, stdout } = await runCli(t, ['--json', '--tools', echoTool, '--tools', echoTool, '-e', '1']);
  const { message } = lastEvent(stdout);
  assert.equal(code, 2);
  assert.equal(message, `${echoTool}: tool "echo" is already defined in ${echoTool}`);
});

test('a tool module that does not exist is a usage error', async (t) => {
  const { code, stderr } = await runCli(t, ['--tools', 'nowhere.tools.js', '-e', '1']);
  assert.equal(code, 2);
  assert.match(stderr, /^codemode-run: nowhere\.tools\.js: cannot be loaded: /);
});
