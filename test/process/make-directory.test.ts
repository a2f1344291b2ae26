import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeDirectories } from '../../src/process/make-directory.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codemode-mkdir-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a folder is made with those above it, and may be there', async () => {
  const path = join(folder, 'a/b/c');
  await makeDirectories(path);
  await makeDirectories(path);
  assert.ok((await stat(path)).isDirectory());
});

test('a file where a folder should be is told with the code of the system', async () => {
  await writeFile(join(folder, 'file'), '');
  await assert.rejects(makeDirectories(join(folder, 'file')), { code: 'EEXIST' });
  await assert.rejects(makeDirectories(join(folder, 'file/below')), { code: 'ENOTDIR' });
});

test('a folder in which nothing can be made is told', { skip: process.platform !== 'linux' }, async () => {
  await assert.rejects(makeDirectories('/proc/nope/below'), { code: 'ENOENT' });
});
