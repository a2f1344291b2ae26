import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Launcher, type LaunchRequest } from '../../../src/exec-server/server/launcher.js';
import { LimitFront } from '../../../src/exec-server/server/limit-front.js';
import { MARK_NAME } from '../../../src/exec-server/server/mark.js';
import { fileLocksIn } from '../../../src/exec-server/server/process-list.js';
import { systemProgram } from '../../../src/exec-server/server/system-program.js';
import { loadTerminals } from '../../../src/exec-server/server/terminals.js';
import { eventually } from '../../support/processes.js';
import { needsLimits } from './limit-trial.js';
import { PATH, type Peer, serve, sh, startParams, temporaryFolder, uri } from './peer.js';
import { daemonTree, inheriting, killSleepers, sleepers, uniqueSeconds } from './trees.js';

const terminals = 'missing' in loadTerminals() ? [false] : [false, true];

async function daemon(t: TestContext, peer: Peer, id: string, more: object): Promise<string> {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  await peer.start(id, ['/bin/sh', '-c', daemonTree, seconds], more);
  await peer.printed(id, /up/);
  await eventually(() => sleepers(seconds).length === 2);
  return seconds;
}

/** How a start is answered, and how what was started ends. */
async function outcome(peer: Peer, id: string, argv: readonly string[], more: object): Promise<unknown> {
  const { error } = await peer.ask('process/start', startParams(id, argv, more));
  if (error !== undefined) return [error.code, error.message, error.data];
  await peer.closed(id);
  const exited = peer.events(id).find(({ method }) => method === 'process/exited');
  return [peer.output(id), exited?.params?.exitCode];
}

for (const tty of terminals) {
  const place = tty ? 'a terminal' : 'pipes';
  test(
    `with an exact environment a daemon ends with its process, and no other does: ${place}`,
    needsLimits,
    async (t) => {
      const peer = await serve(t).ready();
      const one = await daemon(t, peer, 'one', { tty });
      const other = await daemon(t, peer, 'other', { tty });
      const third = await daemon(t, peer, 'third', { tty, ...inheriting });
      await peer.result('process/terminate', { processId: 'one' });
      await peer.closed('one');
      await eventually(() => sleepers(one).length === 0);
      assert.deepEqual([sleepers(other).length, sleepers(third).length], [2, 2]);
      await peer.leave();
      await eventually(() => sleepers(other).length + sleepers(third).length === 0);
    },
  );

  test(`a limit for a mark changes nothing else that the child sees: ${place}`, needsLimits, async (t) => {
    const script =
      'cat /proc/$$/environ | tr "\\0" "\\n"; cat /proc/$$/limits; grep -E "Sig(Ign|Blk)" /proc/self/status';
    const seen: string[] = [];
    for (const markProcesses of [true, false]) {
      const peer = await serve(t, { markProcesses }).ready();
      const env = { PATH, 'A=B': 'x', '': 'y', Z: 'a\nb', [MARK_NAME]: 'of somebody else' };
      await peer.start('child', sh(script), { tty, env });
      await peer.closed('child');
      seen.push(peer.output('child').replaceAll('\r', ''));
    }
    const [marked = '', plain = ''] = seen;
    assert.match(marked, /^PATH=[^\n]*\nA=B=x\n=y\nZ=a\nb\nLimit /);
    assert.match(fileLocksIn(marked) ?? '', /^[1-8][0-9]{10}00000001$/);
    assert.equal(fileLocksIn(plain), fileLocksIn(await readFile('/proc/self/limits', 'latin1')));
    const others = (text: string): string => text.replace(/^Max file locks +\w+ +/m, 'Max file locks ');
    assert.equal(others(marked), others(plain));
  });
}

test('what does not start, or only by chance, is answered as if there were no marks', needsLimits, async (t) => {
  const folder = await temporaryFolder(t);
  const file = (name: string, text: string, mode = 0o755) => writeFile(join(folder, name), text, { mode });
  await file('bad-interpreter', '#!/nonexistent/sh\n');
  await file('windows', '#!/bin/sh\r\necho hi\n');
  await file('bare', 'echo bare "$@"\n');
  await file('empty', '');
  await file('good', '#!/bin/sh\necho good "$0" "$@"\n');
  await file('denied', '#!/bin/sh\n', 0o644);
  await file('-dash', '#!/bin/sh\necho dash\n');
  await file('foreign', '\x7fELF\x02\x01\x01 and so on');
  await mkdir(join(folder, 'folder'));
  const here = { cwd: uri(folder) };
  const long = 'x'.repeat(5_000);
  const cases: readonly (readonly [argv: readonly string[], more?: object])[] = [
    [['/nonexistent']],
    [['no-such-program']],
    [['/etc/passwd/x']],
    [[`/${'x'.repeat(300)}`]],
    [['true'], { cwd: uri('/nonexistent') }],
    [['true'], { cwd: uri('/etc/passwd') }],
    [['true'], { env: { PATH: '/nonexistent' } }],
    [['true'], { env: {} }],
    [['./folder'], here],
    ...['bad-interpreter', 'windows', 'bare', 'empty', 'good', 'denied', 'foreign'].map(
      (name) => [[`./${name}`, 'a', '', '--', '-x'], here] as const,
    ),
    [['good', 'b'], { ...here, env: { PATH: `folder:${folder}` } }],
    [['-dash'], { ...here, env: { PATH: `.:${PATH}` } }],
    [['/bin/echo', '--', '--help']],
    [['/bin/echo', 'x'.repeat(200_000)]],
    [sh('echo $#'), { env: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`V${at}`, long])) }],
    [[...sh('echo $#'), ...Array.from({ length: 60 }, () => long)]],
    [[...sh('echo $#'), ...Array.from({ length: 3_000 }, () => long)]],
    [sh('echo "$LD_PRELOAD"'), { env: { PATH, LD_LIBRARY_PATH: '/nonexistent', LD_PRELOAD: '' } }],
    [['/bin/cat', '/proc/self/cmdline'], { arg0: 'other' }],
    [['/bin/cat', '/proc/self/cmdline'], { arg0: '/bin/cat' }],
    [sh('kill -KILL $$')],
  ];
  const [marked, plain] = [await serve(t).ready(), await serve(t, { markProcesses: false }).ready()];
  for (const tty of terminals) {
    for (const [index, [argv, more]] of cases.entries()) {
      const id = `${tty}-${index}`;
      const wanted = await outcome(plain, id, argv, { tty, ...more });
      assert.deepEqual(await outcome(marked, id, argv, { tty, ...more }), wanted, `${argv[0]} of case ${id}`);
    }
  }
});

test(
  'scripts are marked, and programs whose environment may disturb a limit are left as they are',
  needsLimits,
  async (t) => {
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'script'), '#!/bin/sh\nexec cat /proc/self/limits\n', { mode: 0o755 });
    const peer = await serve(t).ready();
    const limit = async (id: string, argv: readonly string[], more: object = {}): Promise<string | undefined> => {
      await peer.start(id, argv, more);
      await peer.closed(id);
      return fileLocksIn(peer.output(id));
    };
    const limits = ['cat', '/proc/self/limits'];
    const own = fileLocksIn(await readFile('/proc/self/limits', 'latin1'));
    assert.match((await limit('a', ['./script'], { cwd: uri(folder) })) ?? '', /^[0-9]{19}$/);
    assert.match((await limit('b', limits, { env: {} })) ?? '', /^[0-9]{19}$/);
    assert.match((await limit('c', limits, { arg0: 'cat' })) ?? '', /^[0-9]{19}$/);
    assert.equal(await limit('d', limits, { arg0: 'other' }), own);
    assert.equal(await limit('e', limits, { env: { PATH, LD_LIBRARY_PATH: '/nonexistent' } }), own);
    assert.equal(await limit('f', limits, inheriting), own, 'it has the variable');
  },
);

const request = (argv: readonly string[]): LaunchRequest => ({
  argv,
  cwd: '/tmp',
  env: { PATH },
  envPolicy: null,
  arg0: undefined,
  tty: false,
  pipeStdin: false,
  rows: 24,
  columns: 80,
});

function launcherWith(t: TestContext, front?: LimitFront): Launcher {
  const launcher = new Launcher({ environment: {}, paths: { acceptNative: false }, marks: true, front });
  t.after(() => launcher.close());
  return launcher;
}

test('where there is no prlimit, or it does not work, processes start without a mark', needsLimits, async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'prlimit'), '#!/bin/sh\necho no >&2; exit 1\n', { mode: 0o755 });
  for (const path of ['/nonexistent', folder]) {
    const launcher = launcherWith(t, new LimitFront(path));
    for (const argv of [sh('exit 7'), sh('exit 7')]) {
      const { launched, tree } = await launcher.launch(request(argv));
      assert.deepEqual([tree.mark, await launched.exitCode], [undefined, 7]);
    }
    await assert.rejects(launcher.launch(request(['/nonexistent'])), /No such file/);
  }
  const { launched, tree } = await launcherWith(t).launch(request(sh('exit 7')));
  assert.deepEqual([tree.mark?.kind, await launched.exitCode], ['limit', 7]);
});

test(
  'nothing is started when the end comes while it is found out whether there can be a limit',
  needsLimits,
  async (t) => {
    const launcher = launcherWith(t);
    const late = launcher.launch(request(['sleep', uniqueSeconds()]));
    launcher.close();
    await assert.rejects(late, /shutting down/);
    assert.equal(launcher.keeper.size, 0);
  },
);

/** Whether there is something to put in front of a program, in a process that has a hard limit. */
const underHardLimit = `
import { LimitFront } from '${new URL('../../../src/exec-server/server/limit-front.js', import.meta.url)}';
const mark = { kind: 'limit', value: '8999999999900000001' };
const front = await new LimitFront().of(mark, { argv: ['/bin/sh'], cwd: '/', env: {} });
console.log(front !== undefined);
`;

test('where some marks would be above the hard limit, there are none', needsLimits, () => {
  for (const [hard, wanted] of Object.entries({ '5000000000000000000': false, '9200000000000000000': true })) {
    const args = [`--locks=${hard}`, '--', process.execPath, '--input-type=module', '-e', underHardLimit];
    const { stdout, stderr } = spawnSync(systemProgram('prlimit') ?? '', args, { encoding: 'utf8', timeout: 60_000 });
    assert.deepEqual([stdout.trim(), stderr], [`${wanted}`, ''], hard);
  }
});
