import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FifoPool } from '../../../src/exec-server/server/fifo-pool.js';

const posix = process.platform === 'win32' ? { skip: 'needs FIFOs' } : {};

function pool(t: TestContext): { readonly made: FifoPool; readonly folders: string[] } {
  const folders: string[] = [];
  const made = new FifoPool((folder) => {
    assert.equal(existsSync(folder), false, 'told before it is there');
    folders.push(folder);
  });
  t.after(() => made.close());
  return { made, folders };
}

test('a pool makes its folder with the first pipes, and removes it at the end', posix, async (t) => {
  const { made, folders } = pool(t);
  assert.deepEqual(folders, []);
  const taken = await Promise.all([made.take(3), made.take(2), made.take(3)]);
  const names = taken.flatMap((some) => some ?? []);
  assert.equal(new Set(names).size, 8);
  for (const name of names) assert.ok(existsSync(name) && dirname(name) === folders[0]);
  made.close();
  assert.equal(existsSync(folders[0] ?? ''), false);
  assert.equal(await made.take(1), undefined);
});

test('a folder that somebody has cleared away is made anew', posix, async (t) => {
  const { made, folders } = pool(t);
  await made.take(2);
  rmSync(folders[0] ?? '', { recursive: true });
  const [name = ''] = (await made.take(2)) ?? [];
  assert.ok(existsSync(name));
  assert.equal(folders.length, 1, 'it is known already');
});

test('where somebody else has taken the name of the folder there is another one', posix, async (t) => {
  const folders: string[] = [];
  const made = new FifoPool((folder) => {
    folders.push(folder);
    if (folders.length === 1) writeFileSync(folder, 'theirs');
  });
  t.after(() => made.close());
  t.after(() => rmSync(folders[0] ?? ''));
  const start = performance.now();
  assert.equal(await made.take(1), undefined);
  t.mock.method(performance, 'now', () => start + 60_000);
  const [name = ''] = (await made.take(1)) ?? [];
  assert.equal(dirname(name), folders[1]);
  assert.equal(readFileSync(folders[0] ?? '', 'utf8'), 'theirs');
});

test('when no pipe can be made there is none, and later there may be', posix, async (t) => {
  const { made, folders } = pool(t);
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = '/nonexistent';
  try {
    for (let tries = 0; tries < 5; tries += 1) {
      assert.equal(await made.take(1), undefined);
      now += 60_000;
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  assert.equal(folders.length, 1, 'told once, however often it fails');
  assert.equal((await made.take(1))?.length, 1);
  assert.equal(folders.length, 2);
});
