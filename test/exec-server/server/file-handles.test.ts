import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve, temporaryFolder, uri } from './peer.js';

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64');

test('a handle reads where it is asked to, sees the file grow, and outlives its name', async (t) => {
  const file = join(await temporaryFolder(t), 'a');
  await writeFile(file, 'hello');
  const peer = await serve(t).ready();
  const read = (offset: number, len: number): Promise<unknown> =>
    peer.result('fs/readBlock', { handleId: 'h', offset, len });
  assert.deepEqual(await peer.result('fs/open', { handleId: 'h', path: uri(file) }), { handleId: 'h' });
  assert.deepEqual(await read(1, 2), { chunk: 'ZWw=', eof: false });
  assert.deepEqual(await read(0, 5), { chunk: 'aGVsbG8=', eof: false }, 'an exact end is no end yet');
  assert.deepEqual(await read(3, 50), { chunk: 'bG8=', eof: true });
  assert.deepEqual(await read(100, 5), { chunk: '', eof: true });
  await appendFile(file, 'MORE');
  await rm(file);
  assert.deepEqual(await read(5, 100), { chunk: base64('MORE'), eof: true });
  for (const len of [0, 1_048_577]) {
    const { code, message } = await peer.error('fs/readBlock', { handleId: 'h', offset: 0, len });
    assert.deepEqual([code, message], [-32600, 'file read block length must be between 1 and 1048576']);
  }
  assert.equal((await peer.error('fs/readBlock', { handleId: 'h', offset: -1, len: 1 })).code, -32602);
  for (const handleId of ['h', 'h', 'zzz']) assert.deepEqual(await peer.result('fs/close', { handleId }), {});
  const { code, message } = await peer.error('fs/readBlock', { handleId: 'h', offset: 0, len: 1 });
  assert.deepEqual([code, message], [-32004, 'unknown file handle `h`']);
});

test('ids are short, unique, and 128 at most', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'a');
  await writeFile(file, 'x');
  const peer = await serve(t).ready();
  const open = (handleId: string): object => ({ handleId, path: uri(file) });
  await peer.result('fs/open', open(''));
  await peer.result('fs/open', open('x'.repeat(32)));
  assert.equal((await peer.error('fs/open', open(''))).message, 'file handle `` already exists');
  assert.equal((await peer.error('fs/open', open('x'.repeat(33)))).message, 'file handle ID must not exceed 32 bytes');
  for (let index = 2; index < 128; index += 1) await peer.result('fs/open', open(`h${index}`));
  assert.equal(
    (await peer.error('fs/open', open('one'))).message,
    'at most 128 file handles may be open per connection',
  );
  await peer.result('fs/close', { handleId: '' });
  assert.equal((await peer.error('fs/open', { handleId: 'd', path: uri(folder) })).code, -32600);
  assert.equal((await peer.error('fs/open', { handleId: 'n', path: uri(join(folder, 'none')) })).code, -32004);
  for (const mode of [null, 'append']) assert.equal((await peer.error('fs/open', { ...open('m'), mode })).code, -32602);
});

test('a handle writes where it is asked to; an error of the system closes it, a mistake does not', async (t) => {
  const file = join(await temporaryFolder(t), 'w');
  await writeFile(file, 'old content');
  const peer = await serve(t).ready();
  const write = (handleId: string, offset: number, chunk: string): object => ({ handleId, offset, chunk });
  await peer.result('fs/open', { handleId: 'w', path: uri(file), mode: 'replace' });
  assert.equal((await stat(file)).size, 0, 'emptied when it was opened');
  await peer.result('fs/writeBlock', write('w', 0, base64('abc')));
  await peer.result('fs/writeBlock', write('w', 6, base64('def')));
  for (const chunk of ['', base64(Buffer.alloc(1_048_577))]) {
    const { code, message } = await peer.error('fs/writeBlock', write('w', 0, chunk));
    assert.deepEqual([code, message], [-32600, 'file write block length must be between 1 and 1048576']);
  }
  assert.equal((await peer.error('fs/writeBlock', write('w', 0, '**'))).code, -32602);
  await peer.result('fs/writeBlock', write('w', 3, base64('---')));
  assert.equal(await readFile(file, 'utf8'), 'abc---def');
  assert.equal(
    (await peer.error('fs/readBlock', { handleId: 'w', offset: 0, len: 1 })).message,
    'Bad file descriptor (os error 9)',
  );
  assert.equal((await peer.error('fs/writeBlock', write('w', 0, base64('x')))).code, -32004);
  await peer.result('fs/open', { handleId: 'r', path: uri(file) });
  assert.equal((await peer.error('fs/writeBlock', write('r', 0, base64('x')))).code, -32603);
});

test('a close does not overtake the write before it, also with one request at a time', async (t) => {
  const file = join(await temporaryFolder(t), 'w');
  const peer = await serve(t, { concurrentRequests: 1 }).ready();
  const answers = await Promise.all([
    peer.ask('fs/open', { handleId: 'w', path: uri(file), mode: 'replace' }),
    peer.ask('fs/writeBlock', { handleId: 'w', offset: 0, chunk: base64('all of it') }),
    peer.ask('fs/close', { handleId: 'w' }),
  ]);
  assert.deepEqual(
    answers.map(({ error }) => error),
    [undefined, undefined, undefined],
  );
  assert.equal(await readFile(file, 'utf8'), 'all of it');
});

test('a walk goes level by level and by name, and says when there was more', async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'b/c'), { recursive: true });
  await mkdir(join(folder, '.hid'));
  for (const name of ['a.txt', 'b/c/z']) await writeFile(join(folder, name), '');
  await symlink('b', join(folder, 'lb'));
  await symlink('none', join(folder, 'dangling'));
  await symlink('..', join(folder, 'b/up'));
  const peer = await serve(t).ready();
  const limits = { maxDepth: 5, maxDirectories: 50, maxEntries: 100, followDirectorySymlinks: false };
  const walk = async (more: object = {}): Promise<unknown> => {
    const result = await peer.result('fs/walk', { path: uri(folder), options: { ...limits, ...more } });
    const names = result.entries!.map(({ path }) => path.slice(uri(folder).length + 1));
    return [names.join(' '), result.truncated];
  };
  assert.deepEqual(await walk(), ['.hid a.txt b b/c b/c/z', false]);
  assert.deepEqual(await walk({ followDirectorySymlinks: true }), ['.hid a.txt b lb b/c b/up b/c/z', false]);
  assert.deepEqual(await walk({ maxDepth: 0 }), ['.hid a.txt b', false]);
  assert.deepEqual(await walk({ maxEntries: 2 }), ['.hid a.txt', true]);
  assert.deepEqual(await walk({ maxDirectories: 1 }), ['.hid a.txt b', true]);
  const refused = async (more: object): Promise<string> =>
    (await peer.error('fs/walk', { path: uri(folder), options: { ...limits, ...more } })).message;
  assert.match(await refused({ maxDepth: 65 }), /exceed maximums: depth=64, directories=10000, entries=50000/);
  assert.match(await refused({ maxEntries: 0 }), /must be greater than zero/);
  assert.match(await refused({ maxEntries: null }), /invalid type/);
});
