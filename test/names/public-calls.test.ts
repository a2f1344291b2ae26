import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ExecServerClient } from '../../src/exec-server/client/index.js';
import {
  checkCell,
  checkCells,
  commandTools,
  describe,
  ExecContract,
  Host,
  loadMcpConfig,
  loadTools,
  McpServers,
  parseMcpConfig,
  prepareCell,
  runCell,
  schemaType,
  stripTypes,
  Toolbox,
} from '../../src/index.js';
import { Session } from '../../src/supervisor/session.js';
import { fakeSession, noTools } from '../contract/fake-session.js';
import { ScriptedHost } from '../exec-server/client/scripted-host.js';

/** As from a program without types. */
// biome-ignore lint/suspicious/noExplicitAny: what is tested is what types forbid
type Untyped = any;

/** The option is refused with its call, whether the function throws or rejects, before anything is done. */
async function refuses(call: string, options: object, run: () => unknown): Promise<void> {
  const [option = ''] = Object.keys(options).slice(-1);
  const error: Untyped = await (async () => await run())().then(
    () => assert.fail(`${call} has taken ${option}`),
    (reason: unknown) => reason,
  );
  assert.equal(error.code, 'invalid-argument', `${call}: ${error.stack}`);
  assert.match(error.message, new RegExp(`^${call}: the option ${option} is not known; `), call);
  assert.deepEqual(error.data, { call, option });
}

const delegate = noTools.delegate();
/** One that starts nothing: options are looked at before the host is. */
const session = (): Untyped => new Session({} as never, { delegate });
const check = { declarations: '', from: '.', environment: {} };

for (const [call, options, run] of [
  ['new Host', { tmeout: 1 }, (given) => new Host(given)],
  ['connect', { sginal: 1 }, (given) => new Host().connect(given)],
  ['openSession', { delegate, truncate: true }, (given) => new Host().openSession(given)],
  ['runCell', { source: '', timeout: 5 }, (given) => runCell(fakeSession({}), given)],
  ['execute', { source: '', yieldTime: 5 }, (given) => session().execute(given)],
  ['execute', { sginal: 1 }, (given) => session().execute({ source: '' }, given)],
  ['wait', { yieldTimeMs: 1, maxTokens: 5 }, (given) => session().wait('1', given)],
  ['wait', { sginal: 1 }, (given) => session().wait('1', { yieldTimeMs: 1 }, given)],
  ['terminate', { maxTokens: 5 }, (given) => session().terminate('1', given)],
  ['terminate', { sginal: 1 }, (given) => session().terminate('1', {}, given)],
  ['new ExecContract', { toolbox: noTools, limits: {} }, (given) => new ExecContract(fakeSession({}), given)],
  ['ExecContract.open', { toolbox: noTools, timeoutMs: 1 }, (given) => ExecContract.open(new Host(), given)],
  ['exec', { callId: 'x' }, (given) => new ExecContract(fakeSession({}), { toolbox: noTools }).exec('text(1)', given)],
  [
    'wait',
    { sginal: 'x' },
    (given) => new ExecContract(fakeSession({}), { toolbox: noTools }).wait({ cell_id: '1' }, given),
  ],
  ['new Toolbox', { denny: [] }, (given) => new Toolbox([], given)],
  ['delegate', { progress: 1 }, (given) => noTools.delegate(given)],
  ['loadTools', { folder: '.' }, (given) => loadTools([], given)],
  ['describe', { maxToken: 5 }, (given) => describe([], given)],
  ['schemaType', { comment: false }, (given) => schemaType({}, given)],
  ['commandTools', { cwd: '/', workdir: '/' }, (given) => commandTools({} as never, given)],
  ['stripTypes', { labl: 'x' }, (given) => stripTypes('', given)],
  ['prepareCell', { fix: true }, (given) => prepareCell('', given)],
  ['checkCells', { ...check, timeout: 5 }, (given) => checkCells([], given)],
  ['checkCells', { label: 'x', ...check, timeout: 5 }, (given) => checkCell('', given)],
  ['McpServers.connect', { timeout: 5 }, (given) => McpServers.connect([], given)],
  ['parseMcpConfig', { file: 'f', folder: '.', environment: {}, env: {} }, (given) => parseMcpConfig('{}', given)],
  ['loadMcpConfig', { environment: {}, folder: '.' }, (given) => loadMcpConfig('missing.json', given)],
  ['connectWebSocket', { url: 'ws://127.0.0.1:1', timeoutMs: 5 }, (given) => ExecServerClient.connectWebSocket(given)],
  ['connectStdio', { command: 'x', argv: [] }, (given) => ExecServerClient.connectStdio(given)],
  ['connectInProcess', { server: {}, url: 'x' }, (given) => ExecServerClient.connectInProcess(given)],
] as [call: string, options: object, run: (given: Untyped) => unknown][]) {
  test(`${call} refuses the option ${Object.keys(options).at(-1)}, which it does not know`, async () => {
    await refuses(call, options, () => run(options));
  });
}

test('limits of sessions and parts of cells are looked at as well', async () => {
  const limits: Untyped = { maxHeapSize: 1 };
  await assert.rejects(new Host().openSession({ delegate, limits }), {
    message:
      'openSession: the option limits.maxHeapSize is not known; did you mean limits.maxHeapSizeBytes? known are maxYieldTimeMs, maxHeapSizeBytes',
  });
  const cell: Untyped = { source: '', label: 'x', lable: 'x' };
  await assert.rejects(checkCells([cell], check), {
    message: /^checkCells: the option cells\[0\]\.lable is not known/,
  });
});

test('a session that is opened or used without options is told what is missing', async () => {
  await assert.rejects(new Host().openSession(undefined as Untyped), {
    code: 'invalid-argument',
    message: 'the options of openSession must be an object, got nothing',
  });
  await assert.rejects(session().execute({}), {
    code: 'invalid-argument',
    message: 'execute: source must be a string, got nothing',
  });
  await assert.rejects(session().execute('text(1)'), {
    code: 'invalid-argument',
    message: 'the options of execute must be an object, got a string',
  });
});

/** A client of a server that would answer, and does not hear of what is refused here. */
async function connected(t: TestContext): Promise<{ host: ScriptedHost; client: Untyped }> {
  const host = new ScriptedHost({ 'fs/open': ({ params }) => ({ handleId: params.handleId }) });
  const client = await ExecServerClient.connectInProcess({ server: host });
  t.after(() => client.close());
  return { host, client };
}

test('the client of an exec-server refuses options that its calls do not know, and sends nothing', async (t) => {
  const { host, client } = await connected(t);
  const start = { argv: ['x'], cwd: '/' };
  const child = await client.start(start);
  const file = await client.fs.open('/x');
  const asked = host.calls.length;
  const walk = { maxDepth: 1, maxDirectories: 1, maxEntries: 1, followDirectorySymlinks: false };
  for (const [call, options, run] of [
    ['start', { ...start, environment: {} }, (given) => client.start(given)],
    ['environmentInfo', { timeout: 5 }, (given) => client.environmentInfo(given)],
    ['environmentStatus', { timeout: 5 }, (given) => client.environmentStatus(given)],
    ['call', { timeout: 5 }, (given) => client.call('x', {}, given)],
    ['close', { detatch: true }, (given) => client.close(given)],
    ['read', { after: 5 }, (given) => child.read(given)],
    ['write', { end: true }, (given) => child.write('x', given)],
    ['terminate', { grace: 5 }, (given) => child.terminate(given)],
    ['interrupt', { grace: 5 }, (given) => child.interrupt(given)],
    ['resize', { rows: 1, columns: 1 }, (given) => child.resize(given)],
    ['resize', { timeout: 1 }, (given) => child.resize({ rows: 1, cols: 1 }, given)],
    ['readFile', { encoding: 'utf8' }, (given) => client.fs.readFile('/x', given)],
    ['writeFile', { mode: 1 }, (given) => client.fs.writeFile('/x', '', given)],
    ['createDirectory', { recursiv: true }, (given) => client.fs.createDirectory('/x', given)],
    ['getMetadata', { follow: true }, (given) => client.fs.getMetadata('/x', given)],
    ['readDirectory', { recursive: true }, (given) => client.fs.readDirectory('/x', given)],
    ['remove', { forced: true }, (given) => client.fs.remove('/x', given)],
    ['copy', { force: true }, (given) => client.fs.copy('/x', '/y', given)],
    ['canonicalize', { follow: true }, (given) => client.fs.canonicalize('/x', given)],
    ['walk', { ...walk, depth: 1 }, (given) => client.fs.walk('/x', given)],
    ['walk', { follow: true }, (given) => client.fs.walk('/x', walk, given)],
    ['open', { mode: 'read' }, (given) => client.fs.open('/x', 'read', given)],
    ['read', { timeout: 5 }, (given) => file.read(0, 1, given)],
    ['write', { timeout: 5 }, (given) => file.write(0, Buffer.from('x'), given)],
    ['close', { timeout: 5 }, (given) => file.close(given)],
  ] as [call: string, options: object, run: (given: Untyped) => unknown][])
    await refuses(call, options, () => run(options));
  await assert.rejects(client.start({ ...start, tty: { row: 5 } }), { message: /^start: the option tty\.row is not/ });
  await assert.rejects(client.start({ ...start, envPolicy: { inhert: 'all' } }), {
    message: /envPolicy\.inhert is not/,
  });
  assert.equal(host.calls.length, asked);
});
