import type { ExecServerClient } from '../../exec-server/client/index.js';
import { fromBase64, toBase64 } from '../../exec-server/wire/index.js';
import type { ToolContext } from '../tool.js';
import { absolutePath } from './absolute-path.js';
import { naming } from './failure.js';
import { type Fields, refused } from './input.js';
import { execLimits } from './limits.js';
import { notBase64Text } from './messages.js';
import { HeldOutput } from './output.js';

const BLOCK_BYTES = 1_048_576;

/** Files for cells. */
export class ExecFiles {
  readonly #client: ExecServerClient;
  readonly #cwd: string;

  constructor(client: ExecServerClient, { cwd }: { readonly cwd: string }) {
    this.#client = client;
    this.#cwd = cwd;
  }

  async read(input: Fields, { signal }: ToolContext): Promise<unknown> {
    const path = absolutePath(this.#cwd, input.text('path'));
    const most = input.integer('max_bytes', execLimits.fileBytes);
    const offset = input.integer('offset', { initial: 0 });
    const encoding = input.optionalText('encoding');
    const held = new HeldOutput(most);
    let eof = false;
    const size = await naming('read', path, async () => {
      const found = await this.#client.fs.getMetadata(path, { signal });
      await using file = await this.#client.fs.open(path, 'read', { signal });
      while (!eof && held.total < most) {
        const block = await file.read(offset + held.total, Math.min(BLOCK_BYTES, most - held.total), { signal });
        held.add(block.bytes);
        eof = block.eof;
      }
      return found.size;
    });
    const content = encoding === 'base64' ? toBase64(held.bytes()) : held.text();
    // It may have grown since, and some files say that they have no bytes; an offset behind the end says nothing.
    const total = held.total === 0 ? (size ?? 0) : Math.max(size ?? 0, offset + held.total);
    return { content, bytes: held.total, total_bytes: total, eof };
  }

  async write(input: Fields, { signal }: ToolContext): Promise<unknown> {
    const path = absolutePath(this.#cwd, input.text('path'));
    const content = input.text('content');
    const data = input.optionalText('encoding') === 'base64' ? decoded(content) : new TextEncoder().encode(content);
    const parent = path.replace(/[/\\]+[^/\\]*[/\\]*$/, '');
    await naming('write', path, async () => {
      if (input.flag('create_parents') && parent !== '') await this.#client.fs.createDirectory(parent, { signal });
      await this.#client.fs.writeFile(path, data, { signal });
    });
    return { bytes: data.length };
  }

  async list(input: Fields, { signal }: ToolContext): Promise<unknown> {
    const most = input.integer('max_entries', execLimits.entries);
    const path = absolutePath(this.#cwd, input.text('path'));
    const found = await naming('list', path, () => this.#client.fs.readDirectory(path, { signal }));
    const entries = [...found]
      .sort((one, other) => (one.fileName < other.fileName ? -1 : 1))
      .slice(0, most)
      .map(({ fileName: name, isDirectory, isFile }) => ({
        name,
        kind: isDirectory === true ? 'directory' : isFile === true ? 'file' : 'other',
      }));
    return { entries, total: found.length, truncated: found.length > most };
  }
}

function decoded(content: string): Uint8Array {
  try {
    return fromBase64(content);
  } catch (error) {
    throw refused(notBase64Text(error instanceof Error ? error.message : String(error)));
  }
}
