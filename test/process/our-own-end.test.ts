import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, groupIsGone, isAlive } from '../support/processes.js';
import { runScript } from './script.js';

// Each script runs in a Node process of its own, prints the pid of its host, and must not leave it behind.

const startOne = `
  const host = await sh('sleep 30 & sleep 30 & wait');
  console.log(host.pid);
`;

const endings: [title: string, body: string, code: number | null, env?: NodeJS.ProcessEnv][] = [
  ['process.exit without a disposal', 'process.exit(5);', 5],
  ['an uncaught exception', 'setImmediate(() => { throw new Error("deliberate"); });', 1],
  ['an unhandled rejection', 'void Promise.reject(new Error("deliberate"));', 1],
  ['killAllHosts', 'killAllHosts(); await host.exited;', 0],
  ['a disposal, then nothing that keeps Node alive', 'await host.dispose();', 0],
  ['a disposal with a PATH that has no ps', 'await host.dispose();', 0, { PATH: '/nonexistent' }],
  ['a kill with a PATH that has no ps', 'host.kill(); await host.exited;', 0, { PATH: '/nonexistent' }],
];

for (const [title, body, code, env] of endings) {
  test(`no process is left after ${title}`, async () => {
    const prepare = env === undefined ? '' : "env.PATH = '/usr/bin:/bin';";
    const result = await runScript(prepare + startOne + body, env === undefined ? {} : { env });
    const pid = Number(result.stdout.trim());
    assert.ok(pid > 1, result.stderr);
    await groupIsGone(pid);
    assert.equal(result.code, code, result.stderr);
    if (code === 0) assert.equal(result.stderr, '');
  });
}

test('Node exits by itself after a disposal, long before the grandchild that holds the pipes', async () => {
  const body = `
    const host = await sh("setsid sh -c 'echo $$; exec sleep 30' & exit 7");
    const seen = new Promise((resolve) => host.stdout.once('data', resolve));
    await host.exited;
    process.stdout.write(await seen);
    console.log(JSON.stringify(await host.dispose()));
  `;
  const result = await runScript(body);
  const [pid = '', status] = result.stdout.split('\n');
  try {
    assert.equal(status, '{"code":7,"signal":null}', result.stderr);
    assert.equal(result.code, 0);
    assert.ok(isAlive(Number(pid)), 'it was not waited for');
  } finally {
    process.kill(Number(pid), 'SIGKILL');
    await eventually(() => !isAlive(Number(pid)));
  }
});

test('a start that failed keeps nothing alive', async () => {
  const body = `
    for (const program of ['/no/such/host', '/tmp', '', 'a'.repeat(300)]) {
      await startHost({ command: { program }, env }).catch((error) => console.log(error.code));
    }
  `;
  const result = await runScript(body);
  assert.equal(result.stdout, 'spawn-failed\n'.repeat(4), result.stderr);
  assert.equal(result.code, 0);
});
