import { isBytes, needArgument } from '../../names/argument.js';
import type { CallOptions } from '../connection/pending-calls.js';
import { fromBase64, toBase64 } from '../wire/base64.js';
import { emptyResult, readBlockResult } from '../wire/file-results.js';
import { checkCallOptions } from './call-options.js';
import { resultOf } from './decode.js';
import type { Session } from './session.js';

/** An open file on the server. */
export class RemoteFile implements AsyncDisposable {
  readonly #session: Session;
  readonly #handleId: string;

  /** @internal */
  constructor(session: Session, handleId: string) {
    this.#session = session;
    this.#handleId = handleId;
  }

  /** At most 1 MiB. `eof` when fewer bytes came than were asked for. */
  async read(offset: number, length: number, options: CallOptions = {}): Promise<{ bytes: Buffer; eof: boolean }> {
    checkCallOptions('read', options, {});
    const params = { handleId: this.#handleId, offset, len: length };
    const answer = await this.#session.call('fs/readBlock', params, options);
    const { chunk, eof } = resultOf('fs/readBlock', readBlockResult, answer);
    return { bytes: fromBase64(chunk), eof };
  }

  /** At most 1 MiB, and not nothing. */
  async write(offset: number, bytes: Uint8Array, options: CallOptions = {}): Promise<void> {
    checkCallOptions('write', options, {});
    needArgument('write', 'bytes', bytes, isBytes, 'a Uint8Array');
    const params = { handleId: this.#handleId, offset, chunk: toBase64(bytes) };
    resultOf('fs/writeBlock', emptyResult, await this.#session.call('fs/writeBlock', params, options));
  }

  async close(options: CallOptions = {}): Promise<void> {
    checkCallOptions('close', options, {});
    const answer = await this.#session.call('fs/close', { handleId: this.#handleId }, options);
    resultOf('fs/close', emptyResult, answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#session.reason === undefined) await this.close();
  }
}
