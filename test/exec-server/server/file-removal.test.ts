import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { remove } from '../../../src/exec-server/server/file-removal.js';
import { temporaryFolder, uri } from './peer.js';

const removing = (path: string): Promise<object> =>
  remove({ path: uri(path) }, { acceptNative: false }, { moved: () => {} });

/** Takes the place of a function of `node:fs/promises` until the end of the test. */
function replace(t: TestContext, name: 'readdir' | 'unlink', by: (path: Buffer) => Promise<unknown>): void {
  t.mock.method(files, name, by);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

const fault = (code: string, errno: number): Error => Object.assign(new Error(code), { code, errno });

test('an empty folder that may not be read is removed, and one with something in it is refused', async (t) => {
  const folder = await temporaryFolder(t);
  const [empty, full] = [join(folder, 'empty'), join(folder, 'full')];
  for (const path of [empty, full]) mkdirSync(path);
  writeFileSync(join(full, 'file'), '');
  // Not by its mode: nothing is closed to root.
  replace(t, 'readdir', () => Promise.reject(fault('EACCES', -13)));
  await removing(empty);
  assert.ok(!existsSync(empty));
  await assert.rejects(removing(full), /Permission denied/);
  assert.ok(existsSync(join(full, 'file')));
});

test('when a removal is refused, none is under way any more', async (t) => {
  const folder = await temporaryFolder(t);
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), '');
  const waiting: (() => void)[] = [];
  const { unlink } = files;
  replace(t, 'unlink', async (path) => {
    if (path.toString().endsWith('b')) throw fault('EPERM', -1);
    await new Promise<void>((go) => waiting.push(go));
    await unlink(path);
  });
  let settled = false;
  const removal = assert.rejects(removing(folder), /Operation not permitted/).finally(() => {
    settled = true;
  });
  while (waiting.length < 2) await new Promise(setImmediate);
  await new Promise(setImmediate);
  assert.equal(settled, false);
  for (const go of waiting) go();
  await removal;
  assert.deepEqual(
    ['a', 'b', 'c'].filter((name) => existsSync(join(folder, name))),
    ['b'],
  );
});
