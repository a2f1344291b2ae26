import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { test } from 'node:test';
import { loadTerminals } from '../../../src/exec-server/server/terminals.js';
import { serve, sh } from './peer.js';

const missing = 'missing' in loadTerminals();
const options = missing ? { skip: '@lydell/node-pty is not installed here' } : {};
const tty = { tty: true };
const type = (processId: string, text: string, writeId: string): object => ({
  processId,
  chunk: Buffer.from(text).toString('base64'),
  writeId,
});

test(
  'a terminal has 24 rows of 80, three ends, one stream, and adds nothing to the environment',
  options,
  async (t) => {
    const peer = await serve(t).ready();
    await peer.start(
      't',
      sh('stty size; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo all; echo "TERM=$TERM"; echo err >&2'),
      tty,
    );
    await peer.closed('t');
    assert.equal(peer.output('t'), '24 80\r\nall\r\nTERM=\r\nerr\r\n');
    assert.ok(
      peer
        .events('t')
        .slice(0, -2)
        .every(({ params }) => params?.stream === 'pty'),
    );
    await peer.start('e', ['/usr/bin/env'], { ...tty, env: {} });
    await peer.closed('e');
    assert.equal(peer.output('e'), '');
  },
);

test('what is typed is echoed and read, and control characters do what they do', options, async (t) => {
  const peer = await serve(t).ready();
  await peer.start('cat', ['cat'], tty);
  assert.deepEqual(await peer.result('process/write', type('cat', 'hello\n', '1')), { status: 'accepted' });
  await peer.printed('cat', /hello\r\nhello\r\n/);
  await peer.result('process/write', type('cat', '\u0004', '2'));
  await peer.closed('cat');
  assert.equal(peer.events('cat').at(-2)?.params?.exitCode, 0);
  await peer.start('trap', sh('trap "echo got-int; exit 5" INT; echo ready; while :; do sleep 0.05; done'), tty);
  await peer.printed('trap', /ready/);
  await peer.result('process/write', type('trap', '\u0003', '1'));
  await peer.closed('trap');
  assert.match(peer.output('trap'), /got-int/);
  assert.equal(peer.events('trap').at(-2)?.params?.exitCode, 5);
});

test('a program that closes its ends before it exits is not hung up', options, async (t) => {
  const peer = await serve(t).ready();
  for (let run = 0; run < 20; run += 1) {
    const script = 'exec 0<&- 1>&- 2>&-; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; exit 6';
    await peer.start(`h${run}`, sh(script), tty);
    await peer.closed(`h${run}`);
    assert.equal(peer.events(`h${run}`).at(-2)?.params?.exitCode, 6);
  }
});

test('a terminal can be resized, a pipe can not', options, async (t) => {
  const peer = await serve(t).ready();
  await peer.start('t', sh('read -r line; stty size'), { ...tty, rows: 30, cols: 100 });
  assert.deepEqual(await peer.result('process/resize', { processId: 't', rows: 50, cols: 132 }), {});
  await peer.result('process/write', type('t', '\n', '1'));
  await peer.closed('t');
  assert.match(peer.output('t'), /50 132/);
  await peer.start('p', ['sleep', '60']);
  assert.match((await peer.error('process/resize', { processId: 'p', rows: 1, cols: 1 })).message, /no terminal/);
  assert.equal((await peer.error('process/resize', { processId: 'x', rows: 1, cols: 1 })).code, -32600);
  assert.equal((await peer.error('process/resize', { processId: 't', rows: 0, cols: 1 })).code, -32602);
});

test('exit codes of a terminal are those of a pipe, also of a killed child', options, async (t) => {
  const peer = await serve(t).ready();
  for (const [id, script, code] of [
    ['seven', 'exit 7', 7],
    ['term', 'kill -TERM $$', 143],
    ['kill', 'kill -KILL $$', 137],
  ] as const) {
    await peer.start(id, sh(script), tty);
    await peer.closed(id);
    assert.equal(peer.events(id).at(-2)?.params?.exitCode, code);
  }
});

test('arg0 changes the name on a terminal, too', options, async (t) => {
  const peer = await serve(t).ready();
  await peer.start('a', ['/bin/cat', '/proc/self/cmdline'], { ...tty, arg0: 'other' });
  await peer.closed('a');
  assert.equal(peer.output('a'), 'other\0/proc/self/cmdline\0');
});

test('a terminal whose program does not read holds up neither the server nor its own end', options, async (t) => {
  const peer = await serve(t).ready();
  await peer.start('deaf', sh('stty raw -echo; echo up; sleep 60'), tty);
  await peer.printed('deaf', /up/);
  const chunk = 'a'.repeat(65_536);
  const writes = Array.from({ length: 20 }, (_, index) =>
    peer.result('process/write', type('deaf', chunk, `${index}`)),
  );
  assert.deepEqual(await peer.result('environment/status'), { status: 'ready' });
  assert.deepEqual(await peer.result('process/terminate', { processId: 'deaf' }), { running: true });
  await Promise.all([peer.closed('deaf'), ...writes]);
});

test('what is written to a terminal faster than it is read arrives whole', options, async (t) => {
  const peer = await serve(t).ready();
  await peer.start('count', sh('stty raw -echo; echo up; head -c 300000 | cksum'), tty);
  await peer.printed('count', /up/);
  const text = 'abcdefghij'.repeat(30_000);
  await peer.result('process/write', type('count', text, '1'));
  await peer.closed('count');
  assert.match(peer.output('count'), / 300000/);
});

test('no child gets hold of the terminal of another', options, async (t) => {
  const served = serve(t);
  const peer = await served.ready();
  await peer.start('one', ['cat'], tty);
  await peer.start('two', ['cat'], tty);
  // A session of another client, on a pipe and on a terminal.
  const other = await served.ready();
  for (const [id, more] of [
    ['pipe', {}],
    ['pty', tty],
  ] as const) {
    await other.start(id, sh('for f in /proc/self/fd/*; do readlink $f; done'), more);
    await other.closed(id);
    assert.match(other.output(id), /null|pts/);
    assert.doesNotMatch(other.output(id), /ptmx/);
  }
});

test('the end of input ends also a line that was begun', options, async (t) => {
  const peer = await serve(t).ready();
  for (const [id, text] of [
    ['line', 'whole\n'],
    ['piece', 'piece'],
    ['none', ''],
    ['pushed', 'pushed\u0004'],
  ] as const) {
    await peer.start(id, sh('stty -echo; echo up; cat; echo end'), tty);
    await peer.printed(id, /up/);
    await peer.result('process/write', { ...type(id, text, '1'), eof: true });
    await peer.closed(id);
    assert.equal(peer.output(id), `up\r\n${text.replace('\n', '\r\n').replace('\u0004', '')}end\r\n`);
  }
});

test('where the package is not installed the reason says what to do', async (t) => {
  const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
  const loader = Module as unknown as { _load(name: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  t.mock.method(loader, '_load', (name: string, ...rest: unknown[]) => {
    if (!name.startsWith('@lydell/')) return load(name, ...rest);
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  });
  // A module of its own, which has not looked yet.
  const file = '../../../src/exec-server/server/terminals.js?without';
  const without: { readonly loadTerminals: typeof loadTerminals } = await import(file);
  const version = manifest.peerDependencies['@lydell/node-pty'];
  assert.deepEqual(
    without.loadTerminals(),
    process.platform === 'linux'
      ? {
          missing: `it is not installed; run \`npm install @lydell/node-pty@${version}\` where this package is installed`,
        }
      : { missing: `terminals on ${process.platform} are not supported yet` },
  );
});
