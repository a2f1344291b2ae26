import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startHost } from '../../src/process/spawn.js';
import { temporaryFolder } from './hosts.js';
import { runScript } from './script.js';

const env = { PATH: '/usr/bin:/bin' };

test('a signal that is already aborted starts nothing', async (context) => {
  const file = join(await temporaryFolder(context), 'started');
  const command = { program: '/bin/sh', args: ['-c', `: > ${file}`] };
  const reason = new Error('no longer needed');
  const options = { command, env, signal: AbortSignal.abort(reason) };
  await assert.rejects(startHost(options), { code: 'cancelled', cause: reason });
  // A second one that does run ends after anything the first could have left behind.
  const host = await startHost({ command: { program: '/bin/true' }, env });
  await host.exited;
  await host.dispose();
  assert.equal(existsSync(file), false);
});

test('a signal that is already aborted wins over a missing program', async () => {
  const options = { command: { program: '/no/such/host' }, env, signal: AbortSignal.abort() };
  await assert.rejects(startHost(options), { code: 'cancelled' });
});

for (const program of ['/no/such/host', '/bin/sleep']) {
  test(`cancelling the start of ${program}, before and in the same tick, signals nobody else`, async () => {
    const body = `
      const command = { program: '${program}', args: ['30'] };
      for (const late of [false, true]) {
        const controller = new AbortController();
        if (!late) controller.abort();
        const starting = startHost({ command, env, signal: controller.signal });
        controller.abort();
        await starting.catch((error) => console.log(error.code));
      }
      console.log('alive');
    `;
    const result = await runScript(body, { shell: (command) => `sleep 30 & ${command}; echo still here; kill $!` });
    const late = program === '/bin/sleep' ? 'cancelled' : 'spawn-failed';
    assert.equal(result.stdout, `cancelled\n${late}\nalive\nstill here\n`, result.stderr);
    assert.equal(result.code, 0);
  });
}

test('killing everything after a failed start signals nobody else', async () => {
  const body = `
    await startHost({ command: { program: '/no/such/host' }, env }).catch((error) => console.log(error.code));
    killAllHosts();
    console.log('alive');
  `;
  const result = await runScript(body, { shell: (command) => `${command}; echo still here` });
  assert.equal(result.stdout, 'spawn-failed\nalive\nstill here\n', result.stderr);
});
