import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copy } from '../../../src/exec-server/server/file-copy.js';
import { remove } from '../../../src/exec-server/server/file-removal.js';
import { walk } from '../../../src/exec-server/server/file-walk.js';
import { readDirectory, readFile } from '../../../src/exec-server/server/files.js';
import { temporaryFolder, uri } from './peer.js';

const rules = { acceptNative: false };
const MiB = 1_048_576;

/** How often the work said that it goes on. */
async function moves(work: (room: Parameters<typeof readFile>[2]) => Promise<unknown>): Promise<number> {
  let count = 0;
  await work({
    moved: () => {
      count += 1;
    },
    reserve: () => Promise.resolve(),
    limits: { bytes: Number.POSITIVE_INFINITY, values: 262_144 },
  });
  return count;
}

/** Three folders in one another, with ten files each. */
function tree(root: string): string {
  let at = join(root, 'tree');
  for (let depth = 0; depth < 3; depth += 1, at = join(at, 'folder')) {
    mkdirSync(at);
    for (let file = 0; file < 10; file += 1) writeFileSync(join(at, `f${file}`), 'x');
  }
  return join(root, 'tree');
}

test('what may take long tells that it goes on: for each block of a file, and each folder', async (t) => {
  const folder = await temporaryFolder(t);
  const large = join(folder, 'large');
  writeFileSync(large, Buffer.alloc(4 * MiB));
  const from = tree(folder);
  const [to, all] = [uri(join(folder, 'copy')), uri(from)];
  assert.ok((await moves((room) => readFile({ path: uri(large) }, rules, room))) >= 5);
  const copied = { sourcePath: uri(large), destinationPath: to, recursive: false };
  assert.ok((await moves((room) => copy(copied, rules, room))) >= 16);
  const tree2 = { sourcePath: all, destinationPath: uri(join(folder, 'tree2')), recursive: true };
  assert.ok((await moves((room) => copy(tree2, rules, room))) >= 60, 'for each entry, and each block');
  assert.ok((await moves((room) => readDirectory({ path: all }, rules, room))) >= 11);
  const options = { maxDepth: 9, maxDirectories: 99, maxEntries: 99, followDirectorySymlinks: false };
  assert.ok((await moves((room) => walk({ path: all, options }, rules, room))) >= 3);
  assert.ok((await moves((room) => remove({ path: all }, rules, room))) >= 3);
  assert.ok(!existsSync(from));
});

test('a folder is removed with whatever is in it, and nothing that only a link leads to', async (t) => {
  const folder = await temporaryFolder(t);
  const from = tree(folder);
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  writeFileSync(join(kept, 'file'), 'x');
  symlinkSync(kept, join(from, 'link'));
  symlinkSync('/nowhere', join(from, 'dangling'));
  writeFileSync(Buffer.concat([Buffer.from(join(from, 'name')), Buffer.from([0xff])]), 'x');
  await moves((room) => remove({ path: uri(from) }, rules, room));
  assert.ok(!existsSync(from));
  assert.ok(existsSync(join(kept, 'file')));
});
