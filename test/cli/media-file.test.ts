import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { parseDataUrl } from '../../src/cli/data-url.js';
import { MediaFolder } from '../../src/cli/media-file.js';

const image = (image_url: string) => ({ type: 'input_image', image_url }) as const;
const audio = (audio_url: string) => ({ type: 'input_audio', audio_url }) as const;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codemode-media-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('each item becomes a file, named by cell, place and type', async () => {
  const out = join(folder, 'new', 'folder');
  const media = new MediaFolder(out);
  assert.deepEqual(await media.save(image('data:image/png;base64,AAEC'), '1'), {
    line: `[image ${join(out, 'cell-1-1.png')}: image/png, 3 bytes]`,
  });
  assert.deepEqual(await media.save(audio('data:audio/wav;base64,AA=='), '1'), {
    line: `[audio ${join(out, 'cell-1-2.wav')}: audio/wav, 1 bytes]`,
  });
  await media.save(image('DATA:Image/JPEG;charset=x;BASE64,AA=='), '2');
  await media.save(image('data:;base64,AA=='), '2');
  assert.deepEqual((await readdir(out)).sort(), ['cell-1-1.png', 'cell-1-2.wav', 'cell-2-1.jpg', 'cell-2-2.bin']);
  assert.deepEqual([...(await readFile(join(out, 'cell-1-1.png')))], [0, 1, 2]);
});

test('nothing that is there is written over, nor what a link points to', async () => {
  await writeFile(join(folder, 'cell-1-1.png'), 'mine');
  await writeFile(join(folder, 'target'), 'mine');
  await symlink(join(folder, 'target'), join(folder, 'cell-1-1-2.png'));
  const { line } = await new MediaFolder(folder).save(image('data:image/png;base64,AA=='), '1');
  assert.match(line ?? '', /cell-1-1-3\.png/);
  assert.equal(await readFile(join(folder, 'cell-1-1.png'), 'utf8'), 'mine');
  assert.equal(await readFile(join(folder, 'target'), 'utf8'), 'mine');
});

test('a host cannot choose a path by the id of a cell', async () => {
  await new MediaFolder(join(folder, 'out')).save(image('data:image/png;base64,AA=='), '../../x/\0');
  assert.deepEqual(await readdir(folder), ['out']);
  assert.deepEqual(await readdir(join(folder, 'out')), ['cell-______x__-1.png']);
});

test('what cannot be decoded is no file, and the reason is told', async () => {
  const media = new MediaFolder(folder);
  for (const [url, problem] of [
    ['data:image/png;base64,A*A=', 'its base64 is broken'],
    ['data:image/png;base64,AAAAA', 'its base64 is broken'],
    ['data:image/png;base64,=AAA', 'its base64 is broken'],
    ['data:image/png,%E0%A4%A', 'its percent encoding is broken'],
    ['data:image/png', 'it is not a data: URL'],
    ['https://example.org/a.png', 'it is not a data: URL'],
    ['', 'it is not a data: URL'],
  ] as const) {
    assert.deepEqual(await media.save(image(url), '1'), { problem: `image not written: ${problem}` }, url);
  }
  assert.deepEqual(await readdir(folder), []);
});

test('a folder that cannot be used is told, and holds nobody up', async () => {
  await writeFile(join(folder, 'file'), '');
  const problemOf = async (out: string): Promise<string | undefined> =>
    (await new MediaFolder(out).save(image('data:image/png;base64,AA=='), '1')).problem;
  for (const out of [join(folder, 'file'), join(folder, 'file/below')])
    assert.equal(await problemOf(out), `image not written: ${out} is not a directory`);
  // Where nothing can be made, though the folder above is there.
  if (process.platform === 'linux')
    assert.match((await problemOf('/proc/nope/below')) ?? '', /^image not written: ENOENT/);
});

test('blanks in base64, missing padding and percent encoding are understood', () => {
  const bytes = (url: string): string => {
    const media = parseDataUrl(url);
    assert.ok('bytes' in media, url);
    return Buffer.from(media.bytes).toString();
  };
  assert.equal(bytes('data:text/plain;base64,aGV\n sbG8='), 'hello');
  assert.equal(bytes('data:text/plain;base64,aGVsbG8'), 'hello');
  assert.equal(bytes('data:text/plain,h%C3%A9llo%20'), 'h\u00e9llo ');
  assert.equal(bytes('data:,a,b'), 'a,b');
});

test('a type that is none is not repeated', () => {
  const media = parseDataUrl('data:image/png\u001b[31m\n;base64,AA==');
  assert.ok('mime' in media && media.mime === 'application/octet-stream');
});
