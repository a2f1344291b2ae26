import type { Dirent } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  MAX_WALK_DEPTH,
  MAX_WALK_DIRECTORIES,
  MAX_WALK_ENTRIES,
  type WalkEntry,
  type WalkOptions,
  type WalkParams,
  type WalkResult,
} from '../wire/index.js';
import { answering, fileError, invalidFile } from './file-error.js';
import { type Progress, placeOf, type Room } from './files.js';
import { notUtf8NamesText, walkLimitText, walkZeroText } from './messages.js';
import { type PathRules, uriFromPath } from './path-uri.js';
import { type SortedListing, sortedListing } from './sorted-listing.js';

interface Level {
  readonly path: string;
  readonly depth: number;
}

/** What an entry of the answer has, more or less: a path of a hundred letters. */
const ENTRY_BYTES = 160;

/** Everything below a directory, level by level, by name within a directory. */
export async function walk(params: WalkParams, rules: PathRules, room: Room): Promise<WalkResult> {
  const path = placeOf(params.path, params, rules);
  refuseLimits(params.options);
  return await answering(async () => {
    if (!(await stat(path)).isDirectory()) return { entries: [], errors: [], truncated: false };
    await room.reserve(params.options.maxEntries * ENTRY_BYTES);
    return await new Walk(params.options, room).from(path);
  });
}

function refuseLimits({ maxDepth, maxDirectories, maxEntries }: WalkOptions): void {
  if (maxDirectories === 0 || maxEntries === 0) throw invalidFile(walkZeroText);
  if (maxDepth > MAX_WALK_DEPTH || maxDirectories > MAX_WALK_DIRECTORIES || maxEntries > MAX_WALK_ENTRIES) {
    throw invalidFile(walkLimitText(MAX_WALK_DEPTH, MAX_WALK_DIRECTORIES, MAX_WALK_ENTRIES));
  }
}

class Walk {
  readonly #options: WalkOptions;
  readonly #progress: Progress;
  readonly #entries: WalkEntry[] = [];
  readonly #errors: { readonly path: string; readonly message: string }[] = [];
  readonly #queue: Level[] = [];
  /** Directories by their real paths, so that a link back up is not followed twice. */
  readonly #seen = new Set<string>();
  #directories = 0;
  #truncated = false;

  constructor(options: WalkOptions, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  async from(root: string): Promise<WalkResult> {
    this.#seen.add(await realpath(root));
    this.#queue.push({ path: root, depth: 0 });
    for (let level = this.#queue.shift(); level !== undefined; level = this.#queue.shift()) {
      if (this.#directories >= this.#options.maxDirectories) {
        this.#truncated = true;
        break;
      }
      this.#directories += 1;
      if (!(await this.#list(level))) break;
    }
    return { entries: this.#entries, errors: this.#errors, truncated: this.#truncated };
  }

  /** False when there is no room for more. */
  async #list({ path, depth }: Level): Promise<boolean> {
    let found: SortedListing<WalkEntry['kind']>;
    const room = this.#options.maxEntries - this.#entries.length;
    try {
      found = await sortedListing(path, {
        // One more: then it is known that not all have room.
        most: room + 1,
        kindOf: (entry, name) => this.#kind(entry, join(path, name)),
        moved: this.#progress.moved,
      });
    } catch (error) {
      if (depth === 0) throw error;
      const reason = fileError(error);
      this.#complain(path, reason instanceof Error ? reason.message : String(reason));
      return true;
    }
    if (found.nameless > 0) this.#complain(path, notUtf8NamesText(found.nameless));
    for (const { name, kind } of found.entries) {
      if (this.#entries.length >= this.#options.maxEntries) {
        this.#truncated = true;
        return false;
      }
      const inside = join(path, name);
      this.#entries.push({ path: uriFromPath(inside), kind });
      if (kind === 'directory' && depth < this.#options.maxDepth && (await this.#isNew(inside))) {
        this.#queue.push({ path: inside, depth: depth + 1 });
      }
    }
    return true;
  }

  #complain(path: string, message: string): void {
    this.#errors.push({ path: uriFromPath(path), message });
  }

  async #kind(entry: Dirent, path: string): Promise<WalkEntry['kind'] | undefined> {
    if (entry.isDirectory()) return 'directory';
    if (entry.isFile()) return 'file';
    if (!entry.isSymbolicLink() || !this.#options.followDirectorySymlinks) return undefined;
    const target = await stat(path).catch(() => undefined);
    return target?.isDirectory() === true ? 'directory' : undefined;
  }

  async #isNew(path: string): Promise<boolean> {
    if (!this.#options.followDirectorySymlinks) return true;
    const real = await realpath(path).catch(() => path);
    if (this.#seen.has(real)) return false;
    this.#seen.add(real);
    return true;
  }
}
