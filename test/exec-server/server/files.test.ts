import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  readFile,
  readlink,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Peer, serve, temporaryFolder, uri } from './peer.js';

interface Place {
  readonly peer: Peer;
  readonly at: (name: string) => string;
  readonly put: (name: string, text?: string) => Promise<string>;
  readonly refused: (method: string, params: object) => Promise<[number, string, unknown]>;
}

async function place(t: TestContext): Promise<Place> {
  const folder = await temporaryFolder(t);
  const peer = await serve(t).ready();
  const at = (name: string): string => join(folder, name);
  return {
    peer,
    at,
    put: async (name, text = 'x') => {
      await mkdir(join(at(name), '..'), { recursive: true });
      await writeFile(at(name), text);
      return uri(at(name));
    },
    refused: async (method, params) => {
      const { code, message, data } = await peer.error(method, params);
      return [code, message, data];
    },
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const missing = [-32004, 'No such file or directory (os error 2)', undefined];
const system = (text: string, errno: string): unknown => [-32603, text, { errno }];
const octal = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('files are read whole, also those that say they are empty', async (t) => {
  const { peer, at, put } = await place(t);
  await symlink('a', at('link'));
  assert.deepEqual(await peer.result('fs/readFile', { path: await put('a', 'hello') }), { dataBase64: 'aGVsbG8=' });
  assert.deepEqual(await peer.result('fs/readFile', { path: uri(at('link')) }), { dataBase64: 'aGVsbG8=' });
  assert.deepEqual(await peer.result('fs/readFile', { path: await put('e', '') }), { dataBase64: '' });
  const { dataBase64 } = await peer.result('fs/readFile', { path: 'file:///proc/version', sandbox: null });
  assert.match(Buffer.from(dataBase64!, 'base64').toString(), /^Linux/);
  await writeFile(at('big'), Buffer.alloc(20 << 20, 7));
  const big = await peer.result('fs/readFile', { path: uri(at('big')) });
  assert.equal(Buffer.from(big.dataBase64!, 'base64').length, 20 << 20);
});

test('what is no file is not read, and never waited for', async (t) => {
  const { at, put, refused } = await place(t);
  await put('a');
  await symlink('nowhere', at('dangling'));
  execFileSync('mkfifo', [at('fifo')]);
  for (const name of ['none', 'dangling'])
    assert.deepEqual(await refused('fs/readFile', { path: uri(at(name)) }), missing);
  for (const path of [at(''), at('fifo'), '/dev/null']) {
    assert.deepEqual((await refused('fs/readFile', { path: uri(path) }))[0], -32600);
  }
  assert.equal((await refused('fs/readFile', { path: uri(at('fifo')) }))[1], `path \`${at('fifo')}\` is not a file`);
  assert.deepEqual(
    await refused('fs/readFile', { path: uri(at('a/x')) }),
    system('Not a directory (os error 20)', 'ENOTDIR'),
  );
  await truncate(at('a'), 512 * 1_048_576 + 1);
  // In one process an answer is a string, which has a limit of its own.
  assert.match(
    (await refused('fs/readFile', { path: uri(at('a')) }))[1],
    /^file is too large to read: limit is 40\d{7} bytes$/,
  );
});

test('a file is made or emptied in place, with its mode and through links', async (t) => {
  const { peer, at, put, refused } = await place(t);
  const umask = process.umask(0o022);
  t.after(() => process.umask(umask));
  await peer.result('fs/writeFile', { path: uri(at('new')), dataBase64: base64('new') });
  assert.deepEqual([await readFile(at('new'), 'utf8'), await octal(at('new'))], ['new', '644']);
  await put('old', 'looooong');
  await chmod(at('old'), 0o751);
  await symlink('old', at('link'));
  const { ino } = await stat(at('old'));
  await peer.result('fs/writeFile', { path: uri(at('link')), dataBase64: base64('s') });
  assert.deepEqual([await readFile(at('old'), 'utf8'), await octal(at('old'))], ['s', '751']);
  assert.equal((await stat(at('old'))).ino, ino);
  assert.ok((await lstat(at('link'))).isSymbolicLink());
  const bad = await refused('fs/writeFile', { path: uri(at('bad')), dataBase64: '***' });
  assert.deepEqual(bad.slice(0, 2), [
    -32600,
    'fs/writeFile requires valid base64 dataBase64: Invalid symbol 42, offset 0.',
  ]);
  assert.equal(existsSync(at('bad')), false);
  assert.equal((await refused('fs/writeFile', { path: uri(at('bad')), dataBase64: null }))[0], -32602);
  assert.deepEqual(await refused('fs/writeFile', { path: uri(at('no/f')), dataBase64: '' }), missing);
  assert.deepEqual(
    await refused('fs/writeFile', { path: uri(at('')), dataBase64: '' }),
    system('Is a directory (os error 21)', 'EISDIR'),
  );
  assert.equal((await refused('fs/writeFile', { path: 'file:///sys/x', dataBase64: '' }))[0], -32600);
});

test('directories are made with their parents, unless that is not wanted', async (t) => {
  const { peer, at, put, refused } = await place(t);
  const make = (name: string, more: object = {}): object => ({ path: uri(at(name)), ...more });
  await peer.result('fs/createDirectory', make('d/x/y'));
  await peer.result('fs/createDirectory', make('d/x/y', { recursive: null }));
  assert.deepEqual(await refused('fs/createDirectory', make('n/x', { recursive: false })), missing);
  const exists = system('File exists (os error 17)', 'EEXIST');
  assert.deepEqual(await refused('fs/createDirectory', make('d', { recursive: false })), exists);
  await put('file');
  assert.deepEqual(await refused('fs/createDirectory', make('file')), exists);
  assert.equal((await refused('fs/createDirectory', make('z', { recursive: 'yes' })))[0], -32602);
});

test('metadata are those of the target, and say whether the path is a link', async (t) => {
  const { peer, at, put, refused } = await place(t);
  const path = await put('a', 'hello');
  await utimes(at('a'), 1_700_000_000.123, 1_700_000_000.456);
  await symlink('a', at('link'));
  await symlink('nowhere', at('dangling'));
  execFileSync('mkfifo', [at('fifo')]);
  const meta = await peer.result('fs/getMetadata', { path: uri(at('link')) });
  assert.deepEqual(
    [meta.isFile, meta.isDirectory, meta.isSymlink, meta.size, meta.modifiedAtMs],
    [true, false, true, 5, 1_700_000_000_456],
  );
  assert.equal((await peer.result('fs/getMetadata', { path })).isSymlink, false);
  const fifo = await peer.result('fs/getMetadata', { path: uri(at('fifo')) });
  assert.deepEqual([fifo.isFile, fifo.isDirectory, fifo.size], [false, false, 0]);
  assert.deepEqual(await refused('fs/getMetadata', { path: uri(at('dangling')) }), missing);
  assert.equal(
    (await refused('fs/getMetadata', { path: uri(at('link')), followSymlinks: false }))[1],
    'path contains a symbolic link',
  );
});

test('a directory lists everything but links that lead nowhere, by the kinds of targets', async (t) => {
  const { peer, at, put, refused } = await place(t);
  await put('d/.hidden');
  await mkdir(at('d/sub'));
  await symlink('sub', at('d/link'));
  await symlink('nowhere', at('d/dangling'));
  const { entries } = await peer.result('fs/readDirectory', { path: uri(at('d')) });
  assert.deepEqual(
    [...entries!].sort((one, other) => (one.fileName < other.fileName ? -1 : 1)),
    [
      { fileName: '.hidden', isDirectory: false, isFile: true },
      { fileName: 'link', isDirectory: true, isFile: false },
      { fileName: 'sub', isDirectory: true, isFile: false },
    ],
  );
  await put('f');
  assert.deepEqual(
    await refused('fs/readDirectory', { path: uri(at('f')) }),
    system('Not a directory (os error 20)', 'ENOTDIR'),
  );
});

test('removing takes everything below, forgives what is missing, and never follows a link', async (t) => {
  const { peer, at, put, refused } = await place(t);
  await put('d/x/y');
  await symlink('d', at('link'));
  const at_ = (name: string, more: object = {}): object => ({ path: uri(at(name)), ...more });
  await peer.result('fs/remove', { path: `${uri(at('link'))}/` });
  assert.deepEqual([existsSync(at('link')), existsSync(at('d/x/y'))], [false, true]);
  assert.deepEqual(
    await refused('fs/remove', at_('d', { recursive: false })),
    system('Directory not empty (os error 39)', 'ENOTEMPTY'),
  );
  await peer.result('fs/remove', at_('d', { recursive: null, force: null }));
  assert.equal(existsSync(at('d')), false);
  await peer.result('fs/remove', at_('d'));
  assert.deepEqual(await refused('fs/remove', at_('d', { force: false })), missing);
  await mkdir(at('empty'));
  await peer.result('fs/remove', at_('empty', { recursive: false }));
});

test('a file is copied with its mode, and never onto itself', async (t) => {
  const { peer, at, put, refused } = await place(t);
  await put('a', 'data');
  await chmod(at('a'), 0o741);
  await put('b', 'old-old-old');
  await link(at('a'), at('hard'));
  await symlink('a', at('soft'));
  const copy = (from: string, to: string, recursive = false): object => ({
    sourcePath: uri(at(from)),
    destinationPath: uri(at(to)),
    recursive,
  });
  await peer.result('fs/copy', copy('a', 'b'));
  assert.deepEqual([await readFile(at('b'), 'utf8'), await octal(at('b'))], ['data', '741']);
  for (const same of ['a', 'hard']) {
    assert.equal((await refused('fs/copy', copy('a', same)))[1], 'fs/copy source and destination are the same file');
  }
  assert.equal((await refused('fs/copy', copy('a', 'soft')))[1], 'fs/copy source and destination are the same file');
  assert.equal(await readFile(at('a'), 'utf8'), 'data');
  await peer.result('fs/copy', copy('soft', 'soft2'));
  assert.equal(await readlink(at('soft2')), 'a');
  assert.deepEqual(await refused('fs/copy', copy('soft', 'b')), system('File exists (os error 17)', 'EEXIST'));
  assert.deepEqual(await refused('fs/copy', copy('a', 'no/such')), missing);
  execFileSync('mkfifo', [at('fifo')]);
  assert.match((await refused('fs/copy', copy('fifo', 'x')))[1], /only supports regular files/);
  assert.equal((await refused('fs/copy', { ...copy('a', 'x'), recursive: null }))[0], -32602);
});

test('a directory is copied into what is there, but not into itself', async (t) => {
  const { peer, at, put, refused } = await place(t);
  await put('d/b', 'new');
  await put('d/sub/c', 'ccc');
  await symlink('b', at('d/link'));
  execFileSync('mkfifo', [at('d/fifo')]);
  await put('there/keep', 'k');
  await put('there/b', 'old');
  await symlink('d', at('lnd'));
  const copy = (to: string, recursive = true): object => ({
    sourcePath: uri(at('d')),
    destinationPath: uri(at(to)),
    recursive,
  });
  assert.match((await refused('fs/copy', copy('x', false)))[1], /requires recursive: true/);
  for (const inside of ['d', 'd/inner', 'lnd/inner', 'd/no/such/deep']) {
    assert.match((await refused('fs/copy', copy(inside)))[1], /itself or one of its descendants/, inside);
  }
  await peer.result('fs/copy', copy('there'));
  assert.deepEqual([await readFile(at('there/b'), 'utf8'), await readFile(at('there/sub/c'), 'utf8')], ['new', 'ccc']);
  assert.deepEqual([existsSync(at('there/keep')), existsSync(at('there/fifo'))], [true, false]);
  assert.equal(await readlink(at('there/link')), 'b');
  assert.deepEqual(await refused('fs/copy', copy('there')), system('File exists (os error 17)', 'EEXIST'));
});

test('without following links, a link on the way is refused', async (t) => {
  const { at, put, refused } = await place(t);
  await put('d/x');
  await symlink('d', at('ld'));
  await symlink('d/x', at('lf'));
  const no = { followSymlinks: false };
  const loop = system('Symbolic link loop (os error 40)', 'ELOOP');
  assert.deepEqual(await refused('fs/readFile', { path: uri(at('lf')), ...no }), loop);
  assert.deepEqual(await refused('fs/writeFile', { path: uri(at('lf')), dataBase64: '', ...no }), loop);
  assert.deepEqual(
    await refused('fs/readFile', { path: uri(at('ld/x')), ...no }),
    system('Not a directory (os error 20)', 'ENOTDIR'),
  );
  assert.equal(
    (await refused('fs/remove', { path: uri(at('lf')), ...no }))[1],
    'recursive no-follow removal is unsupported',
  );
});

test('a request sees what the requests before it have done, without waiting for their answers', async (t) => {
  const { peer, at } = await place(t);
  const path = uri(at('script'));
  peer.send({ id: 'w', method: 'fs/writeFile', params: { path, dataBase64: base64('#!/bin/sh\necho ran\n') } });
  peer.send({
    id: 'm',
    method: 'process/start',
    params: {
      processId: 'run',
      argv: ['/bin/sh', at('script')],
      cwd: uri('/'),
      env: {},
      tty: false,
    },
  });
  peer.send({ id: 'r', method: 'fs/readFile', params: { path } });
  const read = await peer.until(() => peer.messages.find(({ id }) => id === 'r'), 'the answer');
  assert.equal(read.result?.dataBase64, base64('#!/bin/sh\necho ran\n'));
  await peer.closed('run');
  assert.equal(peer.output('run'), 'ran\n');
});

test('a path is canonicalized into a URI', async (t) => {
  const { peer, at, put, refused } = await place(t);
  await put('sp ace/ü');
  await symlink('sp ace', at('l'));
  const { path } = await peer.result('fs/canonicalize', { path: uri(at('l/ü')) });
  assert.equal(path, uri(at('sp ace/ü')));
  assert.deepEqual(await refused('fs/canonicalize', { path: uri(at('none')) }), missing);
});
