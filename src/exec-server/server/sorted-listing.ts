import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';

const LISTED_AT_ONCE = 256;
/** As many as may wait to be sorted, also where few are wanted. */
const SORTED_AT_ONCE = 1_024;

export interface ListedEntry<K> {
  readonly name: string;
  readonly kind: K;
}

export interface SortedListing<K> {
  /** By the bytes of their names. */
  readonly entries: readonly ListedEntry<K>[];
  /** Names that are not UTF-8, and are not among them. */
  readonly nameless: number;
}

export interface ListingOptions<K> {
  /** The first so many are kept, however many there are. */
  readonly most: number;
  /** Undefined for what is not to be listed. Asked of the first by name only, until there are enough. */
  readonly kindOf: (entry: Dirent, name: string) => Promise<K | undefined>;
  /** Runs now and then. */
  readonly moved: () => void;
}

/** The first entries of a folder by name. It is read piece by piece: one with millions of entries is never whole in memory. */
export async function sortedListing<K>(
  path: string,
  { most, kindOf, moved }: ListingOptions<K>,
): Promise<SortedListing<K>> {
  let found: Found<K>[] = [];
  let nameless = 0;
  const cut = async (): Promise<(Found<K> & ListedEntry<K>)[]> => {
    found.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
    const kept: (Found<K> & ListedEntry<K>)[] = [];
    for (const one of found) {
      if (kept.length >= most) break;
      const name = one.bytes.toString();
      if (one.kind === undefined) moved();
      const kind = one.kind ?? (await kindOf(one.entry, name));
      if (kind !== undefined) kept.push({ ...one, name, kind });
    }
    return kept;
  };
  // Closed by the loop, however that ends.
  for await (const entry of await opendir(path, asBytes)) {
    moved();
    const bytes = bytesOf(entry.name);
    if (!isUtf8(bytes)) {
      nameless += 1;
      continue;
    }
    found.push({ bytes, entry });
    if (found.length >= 2 * most + SORTED_AT_ONCE) found = await cut();
  }
  return { entries: (await cut()).map(({ name, kind }) => ({ name, kind })), nameless };
}

interface Found<K> {
  readonly bytes: Buffer;
  readonly entry: Dirent;
  /** Once it was asked for. */
  readonly kind?: K;
}

/** Node gives names as bytes here too, which its types do not say. */
const asBytes = { encoding: 'buffer' as BufferEncoding, bufferSize: LISTED_AT_ONCE };

const bytesOf = (name: unknown): Buffer => (Buffer.isBuffer(name) ? name : Buffer.from(String(name)));
