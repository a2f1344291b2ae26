import type { FileHandle } from 'node:fs/promises';
import {
  base64Length,
  type CloseParams,
  MAX_BLOCK_BYTES,
  MAX_FILE_HANDLES,
  MAX_HANDLE_ID_BYTES,
  type OpenParams,
  type ReadBlockParams,
  type ReadBlockResult,
  RpcError,
  rpcCodes,
  toBase64,
  type WriteBlockParams,
} from '../wire/index.js';
import { answering, invalidFile, systemError } from './file-error.js';
import { placeOf, type Room } from './files.js';
import { bytesOfBase64 } from './given-bytes.js';
import {
  handleExistsText,
  handleLimitText,
  longHandleText,
  readLengthText,
  unknownHandleText,
  writeLengthText,
} from './messages.js';
import { refuseLinks } from './no-follow.js';
import { openToRead, openToWrite } from './open-file.js';
import type { PathRules } from './path-uri.js';

/** Above this no file system goes, and Node does not take it for a number of bytes. */
const MAX_OFFSET = Number.MAX_SAFE_INTEGER;

/** The open files of one connection, by the ids that the client has given them. */
export class FileHandles {
  readonly #open = new Map<string, FileHandle>();
  #opening = 0;
  #over = false;

  async open(params: OpenParams, rules: PathRules): Promise<{ handleId: string }> {
    const { handleId, mode = 'read' } = params;
    if (Buffer.byteLength(handleId) > MAX_HANDLE_ID_BYTES) throw invalidFile(longHandleText(MAX_HANDLE_ID_BYTES));
    const path = placeOf(params.path, params, rules);
    if (this.#open.has(handleId)) throw invalidFile(handleExistsText(handleId));
    if (this.#open.size + this.#opening >= MAX_FILE_HANDLES) throw invalidFile(handleLimitText(MAX_FILE_HANDLES));
    this.#opening += 1;
    try {
      const file = await answering(() => openFile(path, mode, params.followSymlinks !== false));
      if (this.#over) await file.close();
      else this.#open.set(handleId, file);
      return { handleId };
    } finally {
      this.#opening -= 1;
    }
  }

  async readBlock({ handleId, offset, len }: ReadBlockParams, { reserve }: Room): Promise<ReadBlockResult> {
    if (len < 1 || len > MAX_BLOCK_BYTES) throw invalidFile(readLengthText(MAX_BLOCK_BYTES));
    const file = this.#find(handleId);
    await reserve(base64Length(len));
    return await this.#work(handleId, file, async () => {
      if (offset > MAX_OFFSET) return { chunk: '', eof: true };
      const block = Buffer.allocUnsafe(len);
      let length = 0;
      while (length < len) {
        const { bytesRead } = await file.read(block, length, len - length, offset + length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return { chunk: toBase64(block.subarray(0, length)), eof: length < len };
    });
  }

  async writeBlock({ handleId, offset, chunk }: WriteBlockParams): Promise<object> {
    const bytes = bytesOfBase64(chunk, (why) => new RpcError(rpcCodes.invalidParams, why));
    if (bytes.length < 1 || bytes.length > MAX_BLOCK_BYTES) throw invalidFile(writeLengthText(MAX_BLOCK_BYTES));
    const file = this.#find(handleId);
    return await this.#work(handleId, file, async () => {
      if (offset > MAX_OFFSET) throw systemError('EFBIG');
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, offset + at);
        at += bytesWritten;
      }
      return {};
    });
  }

  async close({ handleId }: CloseParams): Promise<object> {
    await this.#drop(handleId);
    return {};
  }

  closeAll(): void {
    this.#over = true;
    for (const handleId of [...this.#open.keys()]) this.#drop(handleId).catch(() => undefined);
  }

  #find(handleId: string): FileHandle {
    const file = this.#open.get(handleId);
    if (file === undefined) throw new RpcError(rpcCodes.notFound, unknownHandleText(handleId));
    return file;
  }

  /** After an error nobody knows what is in the file: the handle is closed. */
  async #work<T>(handleId: string, file: FileHandle, work: () => Promise<T>): Promise<T> {
    try {
      return await answering(work);
    } catch (error) {
      if (this.#open.get(handleId) === file) await this.#drop(handleId);
      throw error;
    }
  }

  async #drop(handleId: string): Promise<void> {
    const file = this.#open.get(handleId);
    this.#open.delete(handleId);
    await file?.close().catch(() => undefined);
  }
}

async function openFile(path: string, mode: 'read' | 'replace', followLinks: boolean): Promise<FileHandle> {
  if (!followLinks) await refuseLinks(path, 'system');
  const { file } = mode === 'read' ? await openToRead(path) : await openToWrite(path, { devices: false });
  return file;
}
