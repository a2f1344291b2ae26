import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { Leftovers } from '../../../src/exec-server/server/leftovers.js';
import { processAt } from '../../../src/exec-server/server/process-list.js';
import { type Tree, TreeKeeper } from '../../../src/exec-server/server/tree-keeper.js';
import { eventually, isAlive } from '../../support/processes.js';
import { PATH } from './peer.js';
import { killSleepers, sleepers, uniqueSeconds } from './trees.js';

const linux = process.platform === 'linux' ? {} : { skip: 'needs /proc' };
const treeOf = (leader: number, start?: string): Tree => ({ leader, start, mark: undefined, group: undefined });

/** A keeper of trees that live until the test says otherwise. */
function scene() {
  const gone = new Set<Tree>();
  const killed: Tree[] = [];
  const keeper = {
    kill: (trees: readonly Tree[]) => void killed.push(...trees),
    forgetGone: (trees: readonly Tree[]) => trees.filter((tree) => !gone.has(tree)),
  };
  return { gone, killed, leftovers: new Leftovers(keeper as unknown as TreeKeeper) };
}

test('what is left of a process is killed at its time, unless it has gone, or its session has ended', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { gone, killed, leftovers } = scene();
  const [first, second, third, fourth] = [treeOf(11), treeOf(12), treeOf(13), treeOf(14)];
  leftovers.add(first, 5_000);
  leftovers.add(second, 5_000);
  leftovers.add(third, undefined);
  leftovers.add(fourth, 30_000);
  gone.add(second);
  t.mock.timers.tick(4_999);
  assert.deepEqual(killed, []);
  t.mock.timers.tick(1);
  assert.deepEqual(killed, [first]);
  gone.add(first);
  t.mock.timers.tick(10_000);
  assert.deepEqual(leftovers.release(), [third, fourth]);
  t.mock.timers.tick(600_000);
  assert.deepEqual(killed, [first]);
  assert.deepEqual(leftovers.release(), []);
});

test('a keeper that is closed kills nothing any more', linux, async (t) => {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const leader = child.pid!;
  const tree = treeOf(leader, processAt(leader)?.start);
  const traces = { variable: 'NOT_THERE=', limit: 'not there' };
  const closed = new TreeKeeper(traces);
  closed.close();
  closed.kill([tree]);
  closed.end([tree]);
  assert.ok(isAlive(leader));
  const open = new TreeKeeper(traces);
  t.after(() => open.close());
  open.kill([tree]);
  await eventually(() => !isAlive(leader));
});

/** Asks a process to end whose child does not, and forgets it while that still has `graceMs`. */
const program = (graceMs: number, seconds: string, then: string): string => `
import { Launcher } from '${new URL('../../../src/exec-server/server/launcher.js', import.meta.url)}';
import { ProcessTable } from '${new URL('../../../src/exec-server/server/process-table.js', import.meta.url)}';
const launcher = new Launcher({ environment: process.env, paths: { acceptNative: false }, marks: true });
const script = 'trap "exit 0" TERM; (trap "" TERM; echo up; exec sleep ${seconds} > /dev/null 2>&1 < /dev/null) & while :; do sleep 0.1; done';
const forgotten = new Promise((resolve) => {
  globalThis.send = (method) => {
    if (method === 'process/output') table.terminate({ processId: 'p', graceMs: ${graceMs} });
    if (method === 'process/closed') setImmediate(resolve);
  };
});
const table = new ProcessTable(launcher, (method) => globalThis.send(method), { ended: 0 });
const start = { processId: 'p', argv: ['/bin/sh', '-c', script], cwd: 'file:///tmp', env: { PATH: '${PATH}' }, tty: false };
(await table.start(start)).announce();
await forgotten;
${then}
table.end();
launcher.close();
`;

const run = (source: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8', timeout: 120_000 });

test('a kill that is to come neither outlives its session nor holds up the end of the program', linux, (t) => {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const { status, stderr } = run(program(600_000, seconds, ''));
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(sleepers(seconds), []);
});

test('what a forgotten process has left behind is killed when its time is up', linux, (t) => {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const wait = `
import { readdirSync, readFileSync } from 'node:fs';
const lives = (pid) => { try { return /^sleep.${seconds}/s.test(readFileSync('/proc/' + pid + '/cmdline', 'latin1')); } catch { return false; } };
while (readdirSync('/proc').some(lives)) await new Promise((resolve) => setTimeout(resolve, 20));
console.log('killed');
`;
  const { stdout, stderr } = run(program(300, seconds, wait));
  assert.deepEqual([stdout, stderr], ['killed\n', '']);
});
