import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ExecServerClient } from '../../src/exec-server/client/index.js';
import {
  cellDeclarations,
  checkCell,
  commandTools,
  ExecContract,
  Host,
  loadMcpConfig,
  parseMcpConfig,
  runCell,
  toolDeclaration,
  toolSearch,
} from '../../src/index.js';
import { fakeSession, noTools } from '../contract/fake-session.js';
import { ScriptedHost } from '../exec-server/client/scripted-host.js';

/** As from a program without types. */
// biome-ignore lint/suspicious/noExplicitAny: what is tested is what types forbid
type Untyped = any;

const wrong: Untyped = (value: unknown) => value;
const delegate = noTools.delegate();

for (const [message, run] of [
  ['new Host: args must be an array of strings, got a string', () => new Host({ args: wrong('-x') })],
  ['new Host: args must be an array of strings, got null', () => new Host({ args: wrong(null) })],
  ['new Host: capabilities must be an array of strings, got a string', () => new Host({ capabilities: wrong('x') })],
  ['new Host: onEvent must be a function, got 5', () => new Host({ onEvent: wrong(5) })],
  ['new Host: env.set must be an object of strings, got an object', () => new Host({ env: { set: wrong({ A: 1 }) } })],
  ['new Host: env.set must be an object of strings, got an array', () => new Host({ env: { set: wrong(['A']) } })],
  ['new Host: program must be a string, got 5', () => new Host({ program: wrong(5) })],
  ['new Host: args[1] must be a string, got null', () => new Host({ args: ['x', wrong(null)] })],
  [
    'new Host: limits.openMs must be a number of ms above 0, or Infinity, got 0',
    () => new Host({ limits: { openMs: 0 } }),
  ],
  [
    'openSession: delegate.invokeTool must be a function, got nothing',
    () => new Host().openSession({ delegate: wrong(null) }),
  ],
  ['connect: signal must be an AbortSignal, got 5', () => new Host().connect({ signal: wrong(5) })],
  [
    'openSession: signal must be an AbortSignal, got an object',
    () => new Host().openSession({ delegate, signal: wrong(new AbortController()) }),
  ],
  [
    'runCell: session must be what `host.openSession` gives, got an object',
    () => runCell(wrong(new Host()), { source: '' }),
  ],
  [
    'runCell: session must be what `host.openSession` gives, got nothing',
    () => runCell(wrong(undefined), { source: '' }),
  ],
  [
    'runCell: onContent must be a function, got a string',
    () => runCell(fakeSession({}), { source: '', onContent: wrong('x') }),
  ],
  [
    'runCell: timeoutMs must be a whole number of milliseconds from 1 to 2147483647, got 0',
    () => runCell(fakeSession({}), { source: '', timeoutMs: 0 }),
  ],
  [
    'runCell: signal must be an AbortSignal, got a string',
    () => runCell(fakeSession({}), { source: '', signal: wrong('x') }),
  ],
  ['ExecContract.open: host must be a Host, got nothing', () => ExecContract.open(wrong(null), { toolbox: noTools })],
  [
    'ExecContract.open: onNotify must be a function, got 5',
    () => ExecContract.open(new Host(), { toolbox: noTools, onNotify: wrong(5) }),
  ],
  [
    'exec: signal must be an AbortSignal, got 5',
    () => new ExecContract(fakeSession({}), { toolbox: noTools }).exec('text(1)', { signal: wrong(5) }),
  ],
  [
    'cellDeclarations: entries must be an array, such as `toolbox.entries`, got an object',
    () => cellDeclarations(wrong(noTools)),
  ],
  [
    'toolSearch: entries must be a function that gives the entries, got an array',
    () => toolSearch(wrong(noTools.entries)),
  ],
  [
    'toolDeclaration: entry must be an object with tool and property, such as one of `toolbox.entries`, got nothing',
    () => toolDeclaration(wrong(undefined)),
  ],
  [
    'cellDeclarations: entries[0] must be an object with tool and property, such as one of `toolbox.entries`, got an object',
    () => cellDeclarations(wrong([{}])),
  ],
  ['commandTools: cwd must be a string, got 5', () => commandTools(wrong({}), { cwd: wrong(5) })],
  ['commandTools: client must be an ExecServerClient, got nothing', () => commandTools(wrong({}), { cwd: '/' })],
  ['loadMcpConfig: file must be a string, got 5', () => loadMcpConfig(wrong(5), { environment: {} })],
  [
    'parseMcpConfig: text must be a string, got an object',
    () => parseMcpConfig(wrong({}), { file: 'f', folder: '.', environment: {} }),
  ],
  ['checkCells: cells[0].source must be a string, got nothing', () => checkCell(wrong(undefined), wrong(undefined))],
  [
    'connectWebSocket: connectTimeoutMs must be a number of ms above 0, or Infinity, got NaN',
    () => ExecServerClient.connectWebSocket({ url: 'ws://127.0.0.1:1', connectTimeoutMs: Number.NaN }),
  ],
  ['connectStdio: command must be a string, got nothing', () => ExecServerClient.connectStdio(wrong({}))],
  [
    'connectStdio: args must be an array of strings, got a string',
    () => ExecServerClient.connectStdio({ command: 'x', args: wrong('-y') }),
  ],
  [
    'connectInProcess: server must be an ExecServer, got nothing',
    () => ExecServerClient.connectInProcess(wrong({ server: {} })),
  ],
] as [message: string, run: () => unknown][]) {
  test(`a value that cannot be used is refused: ${message}`, async () => {
    const [, call, option] = /^(.+?): (\S+) must/.exec(message) ?? [];
    await assert.rejects(async () => await run(), {
      name: 'CodemodeError',
      code: 'invalid-argument',
      message,
      data: { call, option },
    });
  });
}

test('what a session cannot use reaches no host, whose other cells go on', async (t) => {
  const host = new Host();
  t.after(() => host.close());
  const session = await host.openSession({ delegate });
  const { pid } = await host.connect();
  for (const [message, run] of [
    ['wait: yieldTimeMs must be a whole number of at least 0, got nothing', () => session.wait('1', wrong({}))],
    [
      'wait: yieldTimeMs must be a whole number of at least 0, got a string',
      () => session.wait('1', { yieldTimeMs: wrong('5') }),
    ],
    ['wait: yieldTimeMs must be a whole number of at least 0, got -1', () => session.wait('1', { yieldTimeMs: -1 })],
    [
      'execute: maxOutputTokens must be a whole number of at least 0, got -1',
      () => session.execute({ source: '', maxOutputTokens: -1 }),
    ],
    [
      'terminate: maxOutputTokens must be a whole number of at least 0, got 0.5',
      () => session.terminate('1', { maxOutputTokens: 0.5 }),
    ],
  ] as [string, () => Promise<unknown>][])
    await assert.rejects(run(), { code: 'invalid-argument', message });
  const end = await runCell(session, { source: 'text(1)' });
  assert.deepEqual([end.status, (await host.connect()).pid], ['completed', pid]);
});

async function connected(t: TestContext): Promise<{ host: ScriptedHost; client: Untyped }> {
  const host = new ScriptedHost();
  const client = await ExecServerClient.connectInProcess({ server: host });
  t.after(() => client.close());
  return { host, client };
}

test('what the client of an exec-server cannot use is not sent, and the connection goes on', async (t) => {
  const { host, client } = await connected(t);
  const child = await client.start({ argv: ['x'], cwd: '/' });
  const asked = host.calls.length;
  for (const [message, run] of [
    ['start: argv must be an array of strings, got a string', () => client.start({ argv: 'ls', cwd: '/' })],
    ['start: cwd must be a string, got nothing', () => client.start({ argv: ['ls'] })],
    ['call: method must be a string, got nothing', () => client.call()],
    ['read: timeoutMs must be a number of ms above 0, or Infinity, got -1', () => child.read({ timeoutMs: -1 })],
    ['write: data must be a string or a Uint8Array, got 5', () => child.write(5)],
    ['writeFile: data must be a string or a Uint8Array, got an object', () => client.fs.writeFile('/x', {})],
    ['fs: path must be a string, got nothing', () => client.fs.readFile()],
    ['fs: path must be a string, got nothing', () => client.fs.getMetadata()],
  ] as [string, () => Promise<unknown>][])
    await assert.rejects(run(), { code: 'invalid-argument', message });
  assert.equal(host.calls.length, asked);
  assert.equal(client.reason, undefined);
});
