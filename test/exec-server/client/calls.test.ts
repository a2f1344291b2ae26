import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodemodeError } from '../../../src/errors.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';
import { turns } from '../connection/raw-peer.js';
import { allEvents, codeOf } from './read-events.js';
import { connected, echo, type Method, readAnswer } from './scripted-host.js';

test('the handshake is initialize with the name of the client, and then initialized', async () => {
  const { host, client } = await connected({}, { clientName: 'c', authToken: 't' });
  const takes = { maxMessageBytes: 536_000_000, maxMessageValues: 8_388_608 };
  assert.deepEqual(host.calls[0]?.params, { clientName: 'c', ...takes, authToken: 't' });
  await turns();
  assert.equal(host.notifications, 1);
  assert.equal(client.sessionId, 's');
  await client.close();
  const { host: other, client: nameless } = await connected();
  assert.deepEqual(other.calls[0]?.params, { clientName: 'codemode-run', ...takes });
  await nameless.close();
});

test('a server of the first generation, without session and environment, will do', async () => {
  const { client } = await connected({ initialize: () => ({ protocolVersion: 'exec-server.v0' }) });
  assert.equal(client.sessionId, undefined);
  await client.close();
});

test('a start is told as the wire wants it', async () => {
  const { host, client } = await connected();
  await client.start({ argv: ['a b'], cwd: '/x y/ü', env: { A: '1' }, processId: 'p' });
  assert.deepEqual((await host.called('process/start')).params, {
    processId: 'p',
    argv: ['a b'],
    cwd: 'file:///x%20y/%C3%BC',
    env: { A: '1' },
    tty: false,
    arg0: null,
  });
  await client.start({ argv: ['b'], cwd: 'file:///x', tty: { rows: 3, cols: 4 }, pipeStdin: true, arg0: 'z' });
  const { processId, ...rest } = (await host.called('process/start', 1)).params;
  assert.deepEqual(rest, {
    argv: ['b'],
    cwd: 'file:///x',
    env: {},
    tty: true,
    rows: 3,
    cols: 4,
    pipeStdin: true,
    arg0: 'z',
  });
  assert.notEqual(processId, 'p');
  assert.equal(await codeOf(client.start({ ...echo, processId: 'p' })), 'invalid-argument');
  await client.close();
});

test('notifications that overtake the answer to the start, reversed and repeated, give the right events', async () => {
  const { host, client } = await connected({
    'process/start': async ({ params }) => {
      const id = params.processId as string;
      await host.closed(id, 5);
      await host.exited(id, 2);
      for (const seq of [4, 3, 1, 4, 3]) await host.output(id, seq, `${seq}`, seq === 3 ? 'stderr' : 'stdout');
      return { processId: id, sandboxType: 'none', more: 1 };
    },
  });
  const process = await client.start(echo);
  assert.deepEqual(await allEvents(process), ['1', { exited: 0 }, 'stderr:3', '4', 'closed']);
  assert.ok(process.closed);
  await client.close();
  assert.ok(!host.calls.some(({ method }) => method === 'process/terminate'));
});

test('iteration ends at closed and not at exited', async () => {
  const { host, client } = await connected();
  const process = await client.start({ ...echo, processId: 'p' });
  const iterator = process[Symbol.asyncIterator]();
  await host.exited('p', 1, 3);
  assert.deepEqual((await iterator.next()).value, { type: 'exited', code: 3, sandboxDenied: false });
  const next = iterator.next();
  await host.output('p', 2, 'late');
  await host.closed('p', 3);
  assert.equal((await next).value?.type, 'output');
  assert.deepEqual((await iterator.next()).value, { type: 'closed' });
  assert.deepEqual(await iterator.next(), { value: undefined, done: true });
  await client.close();
});

test('a request of the server is refused with its name, and unknown notifications and members are ignored', async () => {
  const { host, client } = await connected();
  await assert.rejects(host.connection.request('hello', {}), {
    message: 'exec-server rejected request (-32601): exec-server client does not implement `hello` yet',
  });
  await host.connection.notify('zzz', { a: 1 });
  await host.output('somebody-else', 1, 'x');
  const process = await client.start({ ...echo, processId: 'p' });
  await host.connection.notify('process/closed', { processId: 'p', seq: 1, more: true });
  assert.deepEqual(await allEvents(process), ['closed']);
  await client.close();
});

test('a notification that makes no sense ends the connection, and everything pending with it', async () => {
  const { host, client } = await connected({ 'environment/info': () => new Promise(() => {}) });
  const process = await client.start({ ...echo, processId: 'p' });
  const call = codeOf(client.environmentInfo());
  const events = codeOf(allEvents(process));
  await host.called('environment/info');
  await host.connection.notify('process/output', { processId: 'p', stream: 'stdout', chunk: 'aGkK' });
  assert.deepEqual([await call, await events], ['protocol-error', 'protocol-error']);
  assert.equal(client.reason?.code, 'protocol-error');
  assert.equal(await codeOf(client.start(echo)), 'protocol-error');
});

test('an answer of another shape is a protocol error of that call only', async () => {
  const { client } = await connected({
    'environment/status': () => ({ state: 1 }),
    'fs/readFile': () => ({ dataBase64: '***' }),
    'fs/getMetadata': () => ({ isDirectory: false, isFile: true }),
  });
  assert.equal(await codeOf(client.environmentStatus()), 'protocol-error');
  assert.equal(await codeOf(client.fs.readFile('/x')), 'protocol-error');
  assert.deepEqual(await client.fs.getMetadata('/x'), { isDirectory: false, isFile: true });
  await client.close();
});

test('what the server refuses carries code, message and data', async () => {
  const { client } = await connected({
    'process/start': () => Promise.reject(new RpcError(-32603, 'No such file', { kind: 'spawnNotFound' })),
  });
  await assert.rejects(client.start(echo), (error: CodemodeError) => {
    assert.equal(error.code, 'operation-failed');
    assert.equal(error.message, 'exec-server rejected request (-32603): No such file');
    const data = { kind: 'spawnNotFound' };
    assert.deepEqual(error.data, { method: 'process/start', code: -32603, message: 'No such file', data });
    return true;
  });
  await client.close();
});

test('writes go one behind the answer to the other, in pieces, each with an id of its own', async () => {
  const written: { writeId: string; bytes: number }[] = [];
  let open = 0;
  const { client } = await connected({
    'process/write': async ({ params }) => {
      assert.equal(++open, 1);
      await turns(2);
      open--;
      written.push({ writeId: params.writeId as string, bytes: Buffer.from(params.chunk as string, 'base64').length });
      return { status: 'accepted' };
    },
  });
  const process = await client.start({ ...echo, pipeStdin: true });
  const statuses = await Promise.all([process.write('one'), process.write(Buffer.alloc(1_200_000)), process.write('')]);
  assert.deepEqual(statuses, ['accepted', 'accepted', 'accepted']);
  assert.deepEqual(
    written.map(({ bytes }) => bytes),
    [3, 524_288, 524_288, 151_424, 0],
  );
  assert.equal(new Set(written.map(({ writeId }) => writeId)).size, 5);
  await client.close();
});

test('a write to a closed stdin says so, and the end of input stands in the last piece', async () => {
  const eofs: unknown[] = [];
  let status = 'accepted';
  const { client } = await connected({
    'process/write': ({ params }) => {
      eofs.push(params.eof);
      return { status };
    },
  });
  const process = await client.start({ ...echo, pipeStdin: true });
  await process.write(Buffer.alloc(600_000), { eof: true });
  assert.deepEqual(eofs, [undefined, true]);
  status = 'stdinClosed';
  assert.equal(await process.write(Buffer.alloc(600_000)), 'stdinClosed');
  assert.equal(eofs.length, 3);
  await client.close();
});

test('every call gives up with its signal', async () => {
  const stuck = () => new Promise(() => {});
  const names = ['process/read', 'process/write', 'process/terminate', 'process/signal', 'process/resize'];
  const { host, client } = await connected(
    Object.fromEntries([...names, 'fs/readFile', 'fs/walk', 'environment/info'].map((name) => [name, stuck])),
  );
  const process = await client.start({ ...echo, processId: 'p' });
  const calls: readonly ((signal: AbortSignal) => Promise<unknown>)[] = [
    (signal) => process.read({ signal, waitMs: 1_000 }),
    (signal) => process.write('x', { signal }),
    (signal) => process.terminate({ signal }),
    (signal) => process.interrupt({ signal }),
    (signal) => process.resize({ rows: 1, cols: 1 }, { signal }),
    (signal) => client.fs.readFile('/x', { signal }),
    (signal) =>
      client.fs.walk(
        '/x',
        { maxDepth: 1, maxDirectories: 1, maxEntries: 1, followDirectorySymlinks: false },
        { signal },
      ),
    (signal) => client.environmentInfo({ signal }),
  ];
  for (const call of calls) {
    const controller = new AbortController();
    const before = host.calls.length;
    const outcome = codeOf(call(controller.signal));
    while (host.calls.length === before) await turns(1);
    controller.abort(new Error('enough'));
    assert.equal(await outcome, 'cancelled');
    assert.equal(await codeOf(call(controller.signal)), 'cancelled');
  }
  const impatient = codeOf(client.environmentInfo({ timeoutMs: 5 }));
  assert.equal(await impatient, 'operation-timeout');
  host.methods['process/terminate'] = () => ({ running: true });
  await client.close();
});

test('file methods speak in URIs and bytes', async () => {
  const seen: object[] = [];
  const note =
    (answer: unknown): Method =>
    ({ method, params }) => {
      seen.push({ [method]: params });
      return answer;
    };
  const { client } = await connected({
    'fs/readFile': note({ dataBase64: '//4AAQ==' }),
    'fs/writeFile': note({}),
    'fs/createDirectory': note({}),
    'fs/readDirectory': note({ entries: [{ fileName: 'a' }] }),
    'fs/remove': note({}),
    'fs/copy': note({}),
    'fs/canonicalize': note({ path: 'file:///r' }),
    'fs/open': note({ handleId: 'h1' }),
    'fs/readBlock': note({ chunk: 'aGk=', eof: true }),
    'fs/writeBlock': note({}),
    'fs/close': note({}),
  });
  const { fs } = client;
  assert.deepEqual(await fs.readFile('/a', { followSymlinks: false }), Buffer.from([255, 254, 0, 1]));
  await fs.writeFile('/a', 'hi');
  await fs.createDirectory('/a', { recursive: false });
  assert.deepEqual(await fs.readDirectory('/a'), [{ fileName: 'a' }]);
  await fs.remove('/a', { force: false });
  await fs.copy('/a', '/b');
  assert.equal(await fs.canonicalize('/a'), 'file:///r');
  const file = await fs.open('/a', 'replace');
  assert.deepEqual(await file.read(0, 9), { bytes: Buffer.from('hi'), eof: true });
  await file.write(1, Buffer.from('x'));
  await file.close();
  assert.deepEqual(seen, [
    { 'fs/readFile': { path: 'file:///a', followSymlinks: false } },
    { 'fs/writeFile': { path: 'file:///a', dataBase64: 'aGk=' } },
    { 'fs/createDirectory': { path: 'file:///a', recursive: false } },
    { 'fs/readDirectory': { path: 'file:///a' } },
    { 'fs/remove': { path: 'file:///a', force: false } },
    { 'fs/copy': { sourcePath: 'file:///a', destinationPath: 'file:///b', recursive: false } },
    { 'fs/canonicalize': { path: 'file:///a' } },
    { 'fs/open': { handleId: 'h1', path: 'file:///a', mode: 'replace' } },
    { 'fs/readBlock': { handleId: 'h1', offset: 0, len: 9 } },
    { 'fs/writeBlock': { handleId: 'h1', offset: 1, chunk: 'eA==' } },
    { 'fs/close': { handleId: 'h1' } },
  ]);
  await client.close();
});

test('what the server retains is read by number, size and time', async () => {
  const { host, client } = await connected({
    'process/read': () => readAnswer([[4, 'hi']], { nextSeq: 5, truncated: true, firstSeq: 4, droppedBytes: 9 }),
  });
  const process = await client.start({ ...echo, processId: 'p' });
  const { chunks, nextSeq, exited, truncated, firstSeq, droppedBytes } = await process.read({ maxBytes: 3, waitMs: 9 });
  assert.deepEqual(chunks, [{ type: 'output', seq: 4, stream: 'stdout', bytes: Buffer.from('hi') }]);
  assert.deepEqual([nextSeq, exited, truncated, firstSeq, droppedBytes], [5, false, true, 4, 9]);
  const { params } = await host.called('process/read');
  assert.deepEqual(params, { processId: 'p', afterSeq: null, maxBytes: 3, waitMs: 9 });
  await client.close();
});

test('a start that was given up is ended when it took place all the same', async () => {
  const { host, client } = await connected({ 'process/start': () => new Promise(() => {}) });
  for (const [calls, how] of [{ timeoutMs: 5 }, { signal: AbortSignal.timeout(5) }].entries()) {
    const outcome = await codeOf(client.start({ ...echo, processId: `p${calls}`, ...how }));
    assert.match(outcome, /cancelled|operation-timeout/);
    assert.deepEqual((await host.called('process/terminate', calls)).params, { processId: `p${calls}` });
  }
  await client.close();
});

test('a process without events is read, not iterated over, and forgotten when it is closed', async () => {
  const { host, client } = await connected({
    'process/read': () => readAnswer([[1, 'x']], { nextSeq: 4, exited: true, exitCode: 0, closed: true }),
  });
  const pushed = await client.start({ ...echo, processId: 'p', events: false });
  assert.throws(() => pushed[Symbol.asyncIterator](), { code: 'invalid-argument', message: /without events/ });
  await host.output('p', 1, 'x');
  await host.exited('p', 2);
  await host.closed('p', 3);
  while (!pushed.closed) await turns(1);
  assert.equal(pushed.exited, true);
  const read = await client.start({ ...echo, processId: 'p', events: false });
  await read.read();
  assert.equal(read.closed, true);
  await client.start({ ...echo, processId: 'p' });
  await client.close();
});
