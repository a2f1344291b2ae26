import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sortedListing } from '../../../src/exec-server/server/sorted-listing.js';
import { temporaryFolder } from './peer.js';

const nameOf = (number: number): string => `f${String(number).padStart(4, '0')}`;

test('of a folder with more than is asked for the first by name are listed, whatever order they come in', async (t) => {
  const folder = await temporaryFolder(t);
  for (let number = 0; number < 1_200; number += 1) writeFileSync(join(folder, nameOf(number)), '');
  // Bytes, not letters: upper case comes first, and what is not ASCII last.
  for (const name of ['Z', 'é']) writeFileSync(join(folder, name), '');
  let moves = 0;
  const listing = (most: number, kindOf = async (_: unknown, name: string): Promise<string | undefined> => name) =>
    sortedListing(folder, { most, kindOf, moved: () => moves++ });
  const { entries, nameless } = await listing(3);
  assert.deepEqual(
    entries.map(({ name, kind }) => [name, kind]),
    ['Z', nameOf(0), nameOf(1)].map((name) => [name, name]),
  );
  assert.equal(nameless, 0);
  assert.ok(moves >= 1_202);
  const all = (await listing(5_000)).entries.map(({ name }) => name);
  assert.deepEqual(all, ['Z', ...Array.from({ length: 1_200 }, (_, number) => nameOf(number)), 'é']);
  const odd = await listing(2, async (_, name) => (/[13579]$/.test(name) ? name : undefined));
  assert.deepEqual(
    odd.entries.map(({ name }) => name),
    [nameOf(1), nameOf(3)],
  );
});

test('names that are not UTF-8 are counted, and a folder that is not there is an error', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(Buffer.concat([Buffer.from(join(folder, 'a')), Buffer.from([0xff])]), '');
  writeFileSync(join(folder, 'b'), '');
  const options = { most: 9, kindOf: async () => 'any', moved: () => {} };
  assert.deepEqual(await sortedListing(folder, options), { entries: [{ name: 'b', kind: 'any' }], nameless: 1 });
  await assert.rejects(sortedListing(join(folder, 'nope'), options), { code: 'ENOENT' });
});
