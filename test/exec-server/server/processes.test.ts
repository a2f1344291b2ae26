import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytesOf, type Peer, serve, sh, startParams, temporaryFolder, uri } from './peer.js';

const refusal = async (peer: Peer, params: object): Promise<[number, string, unknown]> => {
  const { code, message, data } = await peer.error('process/start', params);
  return [code, message, data];
};

let count = 0;
async function run(peer: Peer, argv: readonly string[], more: object = {}): Promise<{ out: string; code: unknown }> {
  const id = `run-${++count}`;
  await peer.start(id, argv, more);
  await peer.closed(id);
  const exited = peer.events(id).find(({ method }) => method === 'process/exited');
  return { out: peer.output(id), code: exited?.params?.exitCode };
}

test('a start answers with the id and no sandbox, and its events have the shapes of the wire', async (t) => {
  const peer = await serve(t).ready();
  const answer = await peer.result('process/start', startParams('ü/\n ', sh('echo hi')));
  assert.deepEqual(answer, { processId: 'ü/\n ', sandboxType: 'none' });
  await peer.closed('ü/\n ');
  assert.deepEqual(
    peer.events('ü/\n ').map(({ method, params }) => [method, params]),
    [
      ['process/output', { processId: 'ü/\n ', seq: 1, stream: 'stdout', chunk: 'aGkK' }],
      ['process/exited', { processId: 'ü/\n ', seq: 2, exitCode: 0, sandboxDenied: false }],
      ['process/closed', { processId: 'ü/\n ', seq: 3 }],
    ],
  );
});

test('params that do not fit are refused by name', async (t) => {
  const peer = await serve(t).ready();
  for (const name of ['processId', 'argv', 'cwd', 'env', 'tty']) {
    const params: Record<string, unknown> = { ...startParams('a', ['true']) };
    delete params[name];
    assert.deepEqual(await refusal(peer, params), [-32602, `missing field \`${name}\``, undefined]);
  }
  for (const over of [{ tty: null }, { pipeStdin: null }, { env: { A: 1 } }, { arg0: 5 }, { processId: null }]) {
    assert.equal((await refusal(peer, { ...startParams('a', ['true']), ...over }))[0], -32602, JSON.stringify(over));
  }
  assert.deepEqual(await refusal(peer, startParams('a', [])), [-32602, 'argv must not be empty', undefined]);
  assert.match((await refusal(peer, startParams('x'.repeat(257), ['true'])))[1], /must not exceed 256 bytes/);
});

test('a sandbox is refused, never ignored, unless it is none', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('a', ['true'], { sandbox: null });
  await peer.start('b', ['true'], { sandbox: { permissions: { type: 'disabled' } } });
  assert.deepEqual(await refusal(peer, startParams('c', ['true'], { sandbox: {} })), [
    -32602,
    'missing field `permissions`',
    undefined,
  ]);
  const managed = { permissions: { type: 'managed' } };
  assert.match((await refusal(peer, startParams('c', ['true'], { sandbox: managed })))[1], /not supported/);
});

test('an id is taken while its process runs and after it has ended, and free after a failed start', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('dup', ['true']);
  assert.deepEqual((await refusal(peer, startParams('dup', ['true']))).slice(0, 2), [
    -32600,
    'process dup already exists',
  ]);
  await peer.closed('dup');
  assert.equal((await refusal(peer, startParams('dup', ['true'])))[1], 'process dup already exists');
  assert.equal((await refusal(peer, startParams('dup', [])))[1], 'argv must not be empty', 'which is looked at first');
  await peer.error('process/start', startParams('free', ['/nonexistent']));
  await peer.start('free', ['true']);
});

test('of four racing starts of one id one wins', async (t) => {
  const peer = await serve(t).ready();
  const answers = await Promise.all([1, 2, 3, 4].map(() => peer.ask('process/start', startParams('d', ['true']))));
  assert.equal(answers.filter(({ result }) => result !== undefined).length, 1);
  assert.equal(answers.filter(({ error }) => error?.code === -32600).length, 3);
});

test('what the system refuses comes with its words and a kind', async (t) => {
  const peer = await serve(t).ready();
  const missing = [-32603, 'No such file or directory (os error 2)', { kind: 'spawnNotFound' }];
  const denied = [-32603, 'Permission denied (os error 13)', { kind: 'spawnPermissionDenied' }];
  const failed = (text: string): unknown => [-32603, text, { kind: 'spawnFailed' }];
  for (const tty of [false, true]) {
    const refused = (argv: string[], more: object = {}): Promise<unknown> =>
      refusal(peer, startParams('x', argv, { tty, ...more }));
    assert.deepEqual(await refused(['/nonexistent']), missing);
    assert.deepEqual(await refused(['no-such-program']), missing);
    assert.deepEqual(await refused(['true'], { env: { PATH: '/nonexistent' } }), missing);
    assert.deepEqual(await refused(['true'], { cwd: uri('/nonexistent') }), missing);
    assert.deepEqual(await refused(['/tmp']), denied);
    assert.deepEqual(await refused(['true'], { cwd: uri('/etc/passwd') }), failed('Not a directory (os error 20)'));
    assert.deepEqual(await refused([''], {}), failed(`missing program for ${tty ? 'PTY' : 'pipe'} spawn`));
    assert.deepEqual(await refused(['true', 'x'.repeat(200_000)]), failed('Argument list too long (os error 7)'));
    assert.deepEqual(await refused(['echo', 'a\0b']), failed('nul byte found in provided data'));
    assert.deepEqual(await refused(['true'], { env: { A: 'x\0' } }), failed('data provided contains a nul byte'));
  }
});

test('the working directory is the one in the URI', async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'sp ace'));
  const peer = await serve(t).ready();
  for (const cwd of [uri(`${folder}/sp ace`), `file://${folder}/sp ace`, `file://${folder}/x/../sp%20ace/`]) {
    assert.equal((await run(peer, ['/bin/pwd'], { cwd })).out, `${folder}/sp ace\n`, cwd);
  }
  await writeFile(join(folder, 'rel.sh'), '#!/bin/sh\necho rel\n');
  await chmod(join(folder, 'rel.sh'), 0o755);
  assert.equal((await run(peer, ['./rel.sh'], { cwd: uri(folder) })).out, 'rel\n');
});

test('the child sees exactly its environment, whatever its names are', async (t) => {
  const peer = await serve(t).ready();
  assert.equal((await run(peer, ['/usr/bin/env'], { env: { ONLY: 'this' } })).out, 'ONLY=this\n');
  assert.equal((await run(peer, ['/usr/bin/env'], { env: {} })).out, '');
  assert.equal((await run(peer, ['/usr/bin/env'], { env: { 'A=B': 'x', '': 'y' } })).out, 'A=B=x\n=y\n');
  assert.equal((await run(peer, ['true'], { env: {} })).code, 0, 'found without a PATH');
});

test('a process whose environment we make is marked, unless that is switched off', async (t) => {
  const envPolicy = { inherit: 'none', ignoreDefaultExcludes: true, exclude: [], set: { S: 's' }, includeOnly: [] };
  const marked = await run(await serve(t).ready(), ['/usr/bin/env'], { env: { X: '1' }, envPolicy });
  assert.match(marked.out, /^S=s\nX=1\nCODEMODE_EXEC_PROCESS=[0-9a-f-]{36}:1\n$/);
  const plain = await run(await serve(t, { markProcesses: false }).ready(), ['/usr/bin/env'], { env: {}, envPolicy });
  assert.equal(plain.out, 'S=s\n');
});

test('arg0 changes the name and nothing else', async (t) => {
  const peer = await serve(t).ready();
  const argv = ['/bin/cat', '/proc/self/cmdline'];
  assert.equal((await run(peer, argv, { arg0: 'other' })).out, 'other\0/proc/self/cmdline\0');
});

test('a child leads a group and a session, and has no signals blocked and no files but the three', async (t) => {
  const peer = await serve(t).ready();
  const script =
    'set -- $(cat /proc/$$/stat); echo $(($5 == $$)) $(($6 == $$)); grep -E "Sig(Ign|Blk)" /proc/self/status';
  const { out } = await run(peer, sh(script));
  assert.match(out, /^1 1\nSigBlk:\t0+\nSigIgn:\t0+\n$/);
  // Whatever our own parent has left open is handed on; none of it is ours.
  const list = sh('for f in /proc/self/fd/*; do readlink $f; done');
  const inherited = spawnSync('/bin/sh', list.slice(1), { encoding: 'utf8' }).stdout.split('\n');
  const open = (await run(peer, list)).out.trimEnd().split('\n');
  const ours = open.filter((name) => /^socket:|ptmx|codemode-exec-/.test(name) && !inherited.includes(name));
  assert.equal(ours.length, 2, `its two outputs: ${open.join(', ')}`);
  for (const name of ours) {
    assert.match(name, /codemode-exec-.*\(deleted\)$/);
  }
});

test('stdin is nothing by default; outputs are pipes that can be opened by name', async (t) => {
  const peer = await serve(t).ready();
  assert.equal((await run(peer, sh('readlink /proc/self/fd/0; cat'))).out, '/dev/null\n');
  await peer.start('e', sh('echo out; echo err > /dev/stderr; test -p /dev/stdout && echo pipe'));
  await peer.closed('e');
  const streams = (name: string): string =>
    bytesOf(peer.events('e').filter(({ params }) => params?.stream === name)).toString();
  assert.deepEqual([streams('stdout'), streams('stderr')], ['out\npipe\n', 'err\n']);
});

test('exit codes are those of shells', async (t) => {
  const peer = await serve(t).ready();
  assert.equal((await run(peer, sh('exit 7'))).code, 7);
  assert.equal((await run(peer, sh('exit 255'))).code, 255);
  assert.equal((await run(peer, sh('kill -TERM $$'))).code, 143);
  assert.equal((await run(peer, sh('kill -KILL $$'))).code, 137);
});

test('an interrupt reaches the group; for what is gone it is nothing, and there is no other signal', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('i', sh('trap "echo got-int; exit 5" INT; echo ready; while :; do sleep 0.05; done'));
  await peer.printed('i', /ready/);
  assert.deepEqual(await peer.result('process/signal', { processId: 'i', signal: 'interrupt' }), {});
  await peer.closed('i');
  assert.equal(peer.output('i'), 'ready\ngot-int\n');
  for (const processId of ['i', 'nope']) {
    assert.deepEqual(await peer.result('process/signal', { processId, signal: 'interrupt' }), {});
  }
  const { code, message } = await peer.error('process/signal', { processId: 'i', signal: 'kill' });
  assert.deepEqual([code, message], [-32602, 'unknown variant `kill`, expected `interrupt`']);
});

test('two connections do not see each other, and may use one id', async (t) => {
  const { ready } = serve(t);
  const [one, other] = [await ready(), await ready()];
  await one.start('same', sh('echo A; sleep 30'));
  assert.equal((await other.error('process/read', { processId: 'same' })).message, 'unknown process id same');
  assert.deepEqual(await other.result('process/terminate', { processId: 'same' }), { running: false });
  const write = { processId: 'same', chunk: '', writeId: 'w' };
  assert.deepEqual(await other.result('process/write', write), { status: 'unknownProcess' });
  await other.start('same', sh('echo B'));
  await other.closed('same');
  await one.printed('same', /A/);
  assert.deepEqual([one.output('same'), other.output('same')], ['A\n', 'B\n']);
});

test('fifty processes at once run and can be terminated', async (t) => {
  const peer = await serve(t).ready();
  const ids = Array.from({ length: 50 }, (_, index) => `p${index}`);
  await Promise.all(ids.map((id) => peer.start(id, ['sleep', '60'])));
  const answers = await Promise.all(ids.map((processId) => peer.result('process/terminate', { processId })));
  assert.ok(answers.every(({ running }) => running === true));
  await Promise.all(ids.map((id) => peer.closed(id)));
});
