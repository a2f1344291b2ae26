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

test('what an entry is, is asked of as many as are listed, and of one more for each that is left out', async (t) => {
  const folder = await temporaryFolder(t);
  for (let number = 0; number < 3_000; number += 1) writeFileSync(join(folder, nameOf(number)), '');
  const asked = new Map<string, number>();
  const kindOf = async (_: unknown, name: string): Promise<string | undefined> => {
    asked.set(name, (asked.get(name) ?? 0) + 1);
    return name < nameOf(2_990) ? undefined : name;
  };
  // All but the last ten are left out, and however few there is room for, none of those is cut off.
  const late = await sortedListing(folder, { most: 4, kindOf, moved: () => {} });
  assert.deepEqual(
    late.entries.map(({ name }) => name),
    [2_990, 2_991, 2_992, 2_993].map(nameOf),
  );
  assert.ok([...asked.values()].every((times) => times === 1));
  asked.clear();
  const first = await sortedListing(folder, {
    most: 4,
    kindOf: async (_, name) => asked.set(name, 1),
    moved: () => {},
  });
  assert.equal(first.entries.length, 4);
  // Four for each part that is sorted by itself.
  assert.ok(asked.size <= 12, `${asked.size} were asked`);
});

test('names that are not UTF-8 are counted, and a folder that is not there is an error', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(Buffer.concat([Buffer.from(join(folder, 'a')), Buffer.from([0xff])]), '');
  writeFileSync(join(folder, 'b'), '');
  const options = { most: 9, kindOf: async () => 'any', moved: () => {} };
  assert.deepEqual(await sortedListing(folder, options), { entries: [{ name: 'b', kind: 'any' }], nameless: 1 });
  await assert.rejects(sortedListing(join(folder, 'nope'), options), { code: 'ENOENT' });
});
