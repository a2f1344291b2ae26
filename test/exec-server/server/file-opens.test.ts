import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, statSync, truncateSync } from 'node:fs';
import { chmod, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../support/processes.js';
import { serve, temporaryFolder, uri } from './peer.js';

const GROWING_BYTES = 128 * 1_048_576;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const linux = { timeout: 30_000, skip: process.platform === 'linux' ? false : 'needs /proc' };

/** A folder with a FIFO. Whoever waits for the other end of that is released with the test. */
async function folderWithFifo(t: TestContext): Promise<string> {
  let folder = '';
  t.after(() => closeSync(openSync(join(folder, 'fifo'), constants.O_RDWR | constants.O_NONBLOCK)));
  folder = await temporaryFolder(t);
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  return folder;
}

/** A device that keeps nothing, of our own: the real one belongs to everybody. Undefined where we may not make one. */
function nullDevice(folder: string): string | undefined {
  const path = join(folder, 'null');
  try {
    execFileSync('mknod', ['-m', '666', path, 'c', '1', '3'], { stdio: 'ignore' });
    closeSync(openSync(path, 'w'));
    return path;
  } catch {
    return undefined;
  }
}

test('no request waits for the other end of a FIFO, and the next ones are served', { timeout: 30_000 }, async (t) => {
  const folder = await folderWithFifo(t);
  const fifo = uri(join(folder, 'fifo'));
  const file = uri(join(folder, 'file'));
  await writeFile(join(folder, 'file'), 'x');
  const peer = await serve(t).ready();
  const requests: [string, object][] = [
    ['fs/readFile', { path: fifo }],
    ['fs/writeFile', { path: fifo, dataBase64: base64('x') }],
    ['fs/copy', { sourcePath: file, destinationPath: fifo, recursive: false }],
    ['fs/copy', { sourcePath: fifo, destinationPath: uri(join(folder, 'new')), recursive: false }],
    ['fs/open', { handleId: 'r', path: fifo }],
    ['fs/open', { handleId: 'w', path: fifo, mode: 'replace' }],
  ];
  for (const [method, params] of requests) {
    const { code, message } = await peer.error(method, params);
    assert.equal(code, -32600, method);
    assert.match(message, /is not a file|only supports regular files/, method);
  }
  await peer.result('fs/readFile', { path: file });
});

test('what is called a file and has nothing to say is not waited for', linux, async (t) => {
  const peer = await serve(t).ready();
  const answer = await peer.ask('fs/readFile', { path: 'file:///proc/kmsg' });
  assert.ok(answer.result !== undefined || answer.error !== undefined);
  await peer.ask('fs/open', { handleId: 'log', path: 'file:///proc/kmsg' });
  for (let time = 0; time < 3; time++) await peer.ask('fs/readBlock', { handleId: 'log', offset: 0, len: 8_192 });
  await peer.result('fs/getMetadata', { path: 'file:///' });
});

test('a device that keeps nothing may be written to, and stays what it is', async (t) => {
  const folder = await temporaryFolder(t);
  const device = nullDevice(folder);
  if (device === undefined) {
    t.skip('devices can not be made here');
    return;
  }
  await writeFile(join(folder, 'file'), 'x');
  await chmod(join(folder, 'file'), 0o600);
  const peer = await serve(t).ready();
  await peer.result('fs/writeFile', { path: uri(device), dataBase64: base64('x') });
  await peer.result('fs/copy', {
    sourcePath: uri(join(folder, 'file')),
    destinationPath: uri(device),
    recursive: false,
  });
  assert.equal((await stat(device)).mode & 0o777, 0o666);
  for (const mode of ['read', 'replace']) {
    assert.match((await peer.error('fs/open', { handleId: 'd', path: uri(device), mode })).message, /is not a file/);
  }
});

test('directories can not be made where nothing can, and that is said at once', linux, async (t) => {
  const peer = await serve(t).ready();
  for (const path of ['file:///proc/x', 'file:///proc/x/y/z']) {
    assert.equal((await peer.error('fs/createDirectory', { path })).code, -32004);
  }
  await peer.result('fs/createDirectory', { path: 'file:///' });
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'file'), '');
  const { message } = await peer.error('fs/createDirectory', { path: uri(join(folder, 'file/a/b')) });
  assert.equal(message, 'Not a directory (os error 20)');
});

test('the root is not removed, however its path is spelled', async (t) => {
  const peer = await serve(t).ready();
  for (const path of ['file:', 'file://', 'file:///', 'file:///a/..']) {
    // Not recursive, so that a fault in this does no harm.
    const { code, message } = await peer.error('fs/remove', { path, recursive: false });
    assert.deepEqual([code, message], [-32600, 'fs/remove does not remove the root directory']);
  }
});

test('a file that grows is copied as it was when the copy began', { timeout: 30_000 }, async (t) => {
  const folder = await temporaryFolder(t);
  const [log, copy] = [join(folder, 'log'), join(folder, 'copy')];
  await writeFile(log, '');
  await truncate(log, GROWING_BYTES);
  const peer = await serve(t).ready();
  const copied = peer.result('fs/copy', { sourcePath: uri(log), destinationPath: uri(copy), recursive: false });
  await eventually(() => existsSync(copy));
  truncateSync(log, 2 * GROWING_BYTES);
  await copied;
  assert.equal(statSync(copy).size, GROWING_BYTES);
});

test('a file that says it is empty is copied with what it has', linux, async (t) => {
  const copy = join(await temporaryFolder(t), 'copy');
  const peer = await serve(t).ready();
  const params = { sourcePath: 'file:///proc/version', destinationPath: uri(copy), recursive: false };
  await peer.result('fs/copy', params);
  assert.match(await readFile(copy, 'utf8'), /^Linux/);
});
