import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../support/cli.js';

const module = new URL('../../src/process/file-work.js', import.meta.url).href;
const options = { timeout: 30_000, skip: process.platform === 'win32' ? 'needs mkfifo' : false };

/** How a program ends that runs this and then wants to end with code 3. */
async function endOf(t: TestContext, script: string, signal = 'undefined'): Promise<unknown[]> {
  const source = `import fs from 'node:fs'; import { endOfFileWork, worksOnFiles } from ${JSON.stringify(module)}; ${script}; await endOfFileWork(${signal}, 200); process.exit(3);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return await once(child, 'exit');
}

test('a program ends with its code when its work on files ends', options, async (t) => {
  assert.deepEqual(await endOf(t, `fs.readFile('/proc/version', () => {})`), [3, null]);
});

test('a program whose work on files goes on ends with its code, however long that takes', options, async (t) => {
  // Each of the two is at work all the time, in many short pieces.
  const callbacks = `const read = (n) => n > 0 && fs.readFile(process.execPath, () => read(n - 1)); read(3)`;
  assert.deepEqual(await endOf(t, callbacks), [3, null]);
  const promises = `void (async () => { for (let n = 0; n < 20_000; n++) await fs.promises.stat('/'); })()`;
  assert.deepEqual(await endOf(t, promises), [3, null]);
});

test('a program ends although a file holds its threads for ever', options, async (t) => {
  const fifo = join(await temporaryFolder(t), 'fifo');
  execFileSync('mkfifo', [fifo]);
  assert.deepEqual(await endOf(t, `fs.open('${fifo}', 'w', () => {})`), [null, 'SIGKILL']);
  // Some versions of Node do not list this one, so that it is seen only when its thread waits.
  const unlisted = `void fs.promises.readFile('${fifo}'); while (!worksOnFiles()) await new Promise(setImmediate)`;
  assert.deepEqual(await endOf(t, unlisted), [null, 'SIGKILL']);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGPIPE']) {
  test(`a program that ends because of ${signal} dies of it, though it had listened`, options, async (t) => {
    const fifo = join(await temporaryFolder(t), 'fifo');
    execFileSync('mkfifo', [fifo]);
    const script = `process.on('${signal}', () => {}); fs.open('${fifo}', 'w', () => {})`;
    assert.deepEqual(await endOf(t, script, `'${signal}'`), [null, signal]);
  });
}
