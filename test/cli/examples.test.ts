import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { example, launch } from './launch.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('licenses counts every package there is, scoped ones included', async () => {
  const { code, stdout, stderr } = await launch([example('licenses.js'), '--tools', example('files.tools.js')], {
    cwd: root,
  });
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^licence +count {2}packages$/);
  const counts = lines.slice(1).map((line) => Number(/ {2,}(\d+)(?: |$)/.exec(line)?.[1]));
  const total = counts.pop();
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    total,
  );
  const names = (await readdir(`${root}node_modules`)).filter((name) => !name.startsWith('.'));
  const folders = await Promise.all(
    names.map(async (name) => (name.startsWith('@') ? (await readdir(`${root}node_modules/${name}`)).length : 1)),
  );
  assert.equal(
    total,
    folders.reduce((sum, count) => sum + count, 0),
  );
});

test('settled takes answers as they come, and a failure for what it is', async () => {
  const { stdout } = await launch([example('settled.js'), '--tools', example('slow.tools.js')]);
  assert.deepEqual(stdout.trimEnd().split('\n').sort(), [
    'Atlantis: no answer (Atlantis has sunk)',
    'Lisbon: clear',
    'Oslo: clear',
    'Reykjavik: cloudy',
  ]);
});

test('recall finds what remember has left, and says so when there is nothing', async () => {
  const both = await launch([example('remember.js'), example('recall.js')]);
  assert.equal(both.stdout, 'stored 1000 primes\nthe last of 1000 primes is 7919\n');
  const alone = await launch([example('recall.js')]);
  assert.equal(alone.stdout, 'nothing is stored: run remember.js first, in the same run\n');
});
