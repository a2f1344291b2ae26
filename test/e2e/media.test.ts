import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEvents, runCli, temporaryFolder } from '../support/cli.js';

// One pixel.
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

test('an image becomes a file in --out-dir, and a line that names it', async (t) => {
  const folder = join(await temporaryFolder(t), 'new');
  const source = `text("before"); image("data:image/png;base64,${png}"); text("after")`;
  const { code, stdout, stderr } = await runCli(t, ['--out-dir', folder, '-e', source]);
  assert.deepEqual([code, stderr], [0, '']);
  const [name = '', ...more] = readdirSync(folder);
  assert.deepEqual(more, []);
  const bytes = readFileSync(join(folder, name));
  assert.deepEqual(bytes, Buffer.from(png, 'base64'));
  const line = `[image ${join(folder, name)}: image/png, ${bytes.length} bytes]`;
  assert.equal(stdout, `before\n${line}\nafter\n`);
});

test('without --out-dir it is the working directory, and nothing there is written over', async (t) => {
  const cwd = await temporaryFolder(t);
  writeFileSync(join(cwd, 'cell-1-1.png'), 'mine');
  const { code, stdout } = await runCli(t, ['-e', `image("data:image/png;base64,${png}")`], { cwd });
  assert.equal(code, 0);
  assert.equal(readFileSync(join(cwd, 'cell-1-1.png'), 'utf8'), 'mine');
  assert.equal(readdirSync(cwd).length, 2);
  assert.match(stdout, /^\[image cell-1-1-2\.png: image\/png, \d+ bytes\]\n$/);
});

test('with --json an image stays in its event', async (t) => {
  const cwd = await temporaryFolder(t);
  const { code, stdout } = await runCli(t, ['--json', '-e', `image("data:image/png;base64,${png}")`], { cwd });
  const content = parseEvents(stdout).find(({ type }) => type === 'content');
  const [item] = (content?.items ?? []) as { type?: string; image_url?: string }[];
  assert.deepEqual([code, item?.type, item?.image_url], [0, 'input_image', `data:image/png;base64,${png}`]);
  assert.deepEqual(readdirSync(cwd), []);
});

test('what cannot be written is told on stderr, and the run goes on and has failed', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  for (const [out, url, problem] of [
    [join(folder, 'file'), `data:image/png;base64,${png}`, `${join(folder, 'file')} is not a directory`],
    [folder, 'data:image/png;base64,A', 'its base64 is broken'],
  ] as const) {
    const args = ['--out-dir', out, '-e', `image(${JSON.stringify(url)}); text("after")`, '-e', 'text("next")'];
    const { code, stdout, stderr } = await runCli(t, args);
    assert.deepEqual([code, stdout, stderr], [1, 'after\nnext\n', `codemode-run: image not written: ${problem}\n`]);
  }
});
