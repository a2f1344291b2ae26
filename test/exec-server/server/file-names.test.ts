import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Peer, serve, temporaryFolder, uri } from './peer.js';

const linux = { skip: process.platform === 'linux' ? false : 'names are bytes on Linux only' };

/** A path with bytes in it that are no text. */
const raw = (folder: string, ...bytes: number[]): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from(bytes)]);

async function place(t: TestContext): Promise<{ folder: string; peer: Peer }> {
  return { folder: await temporaryFolder(t), peer: await serve(t).ready() };
}

test('a URI that is no UTF-8 is refused, and leads to no other file', linux, async (t) => {
  const { folder, peer } = await place(t);
  writeFileSync(join(folder, 'b\ufffd'), 'another');
  writeFileSync(raw(folder, 0xff), 'meant');
  for (const [method, more] of [
    ['fs/remove', {}],
    ['fs/readFile', {}],
    ['fs/writeFile', { dataBase64: '' }],
  ] as const) {
    const { code, message } = await peer.error(method, { path: `${uri(folder)}/b%FF`, ...more });
    assert.deepEqual([code, message], [-32602, 'path URIs must be UTF-8 when their percent sequences are decoded']);
  }
  assert.equal(readFileSync(join(folder, 'b\ufffd'), 'utf8'), 'another');
  assert.equal(readFileSync(raw(folder, 0xff), 'utf8'), 'meant');
});

test('a folder is copied with names and links that are no text, byte by byte', linux, async (t) => {
  const { folder, peer } = await place(t);
  const from = join(folder, 'from');
  mkdirSync(raw(from, 0xfe), { recursive: true });
  writeFileSync(raw(from, 0xff), 'one');
  writeFileSync(join(from, 'b\ufffd'), 'other');
  symlinkSync(Buffer.from([0x78, 0xff]), join(from, 'link'));
  const to = join(folder, 'to');
  await peer.result('fs/copy', { sourcePath: uri(from), destinationPath: uri(to), recursive: true });
  assert.deepEqual(readdirSync(to, { encoding: 'buffer' }), readdirSync(from, { encoding: 'buffer' }));
  assert.deepEqual([readFileSync(raw(to, 0xff), 'utf8'), readFileSync(join(to, 'b\ufffd'), 'utf8')], ['one', 'other']);
  const link = { sourcePath: uri(join(from, 'link')), destinationPath: uri(join(folder, 'second')), recursive: false };
  await peer.result('fs/copy', link);
  for (const path of [join(to, 'link'), join(folder, 'second')]) {
    assert.deepEqual(readlinkSync(path, { encoding: 'buffer' }), Buffer.from([0x78, 0xff]));
  }
});

test('a walk and a real path give no URI that leads to nothing', linux, async (t) => {
  const { folder, peer } = await place(t);
  writeFileSync(join(folder, 'good'), '');
  mkdirSync(raw(folder, 0xff));
  mkdirSync(raw(folder, 0xfe));
  symlinkSync(raw(folder, 0xff), join(folder, 'link'));
  const options = { maxDepth: 5, maxDirectories: 50, maxEntries: 100, followDirectorySymlinks: false };
  const { entries, ...rest } = await peer.result('fs/walk', { path: uri(folder), options });
  assert.deepEqual(entries, [{ path: uri(join(folder, 'good')), kind: 'file' }]);
  assert.deepEqual(rest, {
    errors: [{ path: uri(folder), message: '2 names in it are not UTF-8 and were left out' }],
    truncated: false,
  });
  const { message } = await peer.error('fs/canonicalize', { path: uri(join(folder, 'link')) });
  assert.equal(message, 'the path is not UTF-8, so no URI leads to it');
});

test('URIs and ids that are too long are refused, and not repeated in full', async (t) => {
  const served = serve(t);
  const peer = await served.ready();
  const { code, message } = await peer.error('fs/getMetadata', { path: `file:///${'x'.repeat(1_000_000)}` });
  assert.deepEqual([code, message], [-32602, 'path URIs must not exceed 32768 characters']);
  const long = '😀'.repeat(500_000);
  const fresh = served.connect();
  const answers = [
    await fresh.error('initialize', { clientName: 'x', resumeSessionId: `-${long}` }),
    await peer.error(long),
    await peer.error('fs/readBlock', { handleId: long, offset: 0, len: 1 }),
    await peer.error('process/read', { processId: `-${long}` }),
    await peer.error('fs/getMetadata', { path: `x${'y'.repeat(20_000)}:///` }),
    await peer.error('fs/open', { handleId: 'h', path: uri('/'), mode: `-${long}` }),
    await peer.error('fs/getMetadata', { path: uri('/'), followSymlinks: `-${long}` }),
  ];
  for (const { message: text } of answers) {
    assert.ok(text.length < 400, `${text.length} characters`);
    // Half of a letter is something that clients refuse to read.
    assert.equal(text, Buffer.from(text).toString());
  }
});

test('a listing that its client would not take is refused, and says what it takes', async (t) => {
  const { folder } = await place(t);
  for (let name = 0; name < 5; name++) writeFileSync(join(folder, `${name}`), '');
  const peer = serve(t).connect();
  await peer.handshake({ clientName: 'x', maxMessageValues: 20 });
  const { code, message } = await peer.error('fs/readDirectory', { path: uri(folder) });
  assert.deepEqual(
    [code, message],
    [-32600, 'directory has too many entries to list: limit is 4; fs/walk lists a part'],
  );
  const more = serve(t).connect();
  await more.handshake({ clientName: 'x', maxMessageValues: 24 });
  assert.equal((await more.result('fs/readDirectory', { path: uri(folder) })).entries?.length, 5);
});

test('an answer that its client would not take is an error instead, and a file is not even read', async (t) => {
  const { folder } = await place(t);
  writeFileSync(join(folder, 'file'), Buffer.alloc(20_000));
  const peer = serve(t).connect();
  await peer.handshake({ clientName: 'x', maxMessageBytes: 10_000 });
  await peer.result('fs/open', { handleId: 'h', path: uri(join(folder, 'file')) });
  assert.deepEqual(
    [
      (await peer.error('fs/readFile', { path: uri(join(folder, 'file')) })).message,
      (await peer.error('fs/readBlock', { handleId: 'h', offset: 0, len: 20_000 })).message.replace(
        /\d{5} bytes/,
        'N bytes',
      ),
    ],
    [
      'file is too large to read: limit is 4428 bytes',
      'the answer would have N bytes; this client takes 10000 in one message',
    ],
  );
});
