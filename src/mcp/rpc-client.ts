import type { Channel, RpcMessage } from './channel.js';
import { answerShapeText, cancelledText } from './messages.js';
import { asFault, RpcErrorAnswer, ServerFault } from './server-fault.js';
import { type Fields, isRecord } from './value.js';
import { untilAborted } from './within.js';

export interface RequestOptions {
  /** Gives the request up, and tells the server so. */
  readonly signal?: AbortSignal | undefined;
  /** For `initialize`, which the protocol does not let anybody take back. */
  readonly silent?: boolean;
  readonly onProgress?: ((params: Fields) => void) | undefined;
}

interface Pending {
  readonly settle: (outcome: { readonly result: unknown } | { readonly error: Error }) => void;
  readonly onProgress: RequestOptions['onProgress'];
}

const methodNotFound = -32_601;

/** The requests of one conversation in JSON-RPC, and the answers to them. */
export class RpcClient {
  readonly #pending = new Map<number, Pending>();
  readonly #onNotification: (method: string, params: Fields) => void;
  #channel: Channel | undefined;
  #fault: ServerFault | undefined;
  #ids = 0;

  constructor(onNotification: (method: string, params: Fields) => void) {
    this.#onNotification = onNotification;
  }

  attach(channel: Channel): void {
    this.#channel = channel;
  }

  /** The result; rejects with `RpcErrorAnswer`, with `ServerFault`, or with the reason of the signal. */
  async request(method: string, params: Fields, options: RequestOptions = {}): Promise<unknown> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#fault !== undefined) throw this.#fault;
    this.#ids += 1;
    const id = this.#ids;
    const _meta = options.onProgress === undefined ? {} : { _meta: { progressToken: id } };
    const message: RpcMessage = { jsonrpc: '2.0', id, method, params: { ...params, ..._meta } };
    let giveUp: (() => void) | undefined;
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#pending.set(id, {
          settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result)),
          onProgress: options.onProgress,
        });
        giveUp = () => {
          if (options.silent !== true) this.#say('notifications/cancelled', { requestId: id, reason: cancelledText });
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        this.#send(message).catch((error: unknown) => this.lose(id, asFault(error)));
      });
    } finally {
      this.#pending.delete(id);
      if (giveUp !== undefined) signal?.removeEventListener('abort', giveUp);
    }
  }

  async notify(method: string, signal: AbortSignal): Promise<void> {
    await untilAborted(this.#send({ jsonrpc: '2.0', method }), signal);
  }

  /** False when this is no message of JSON-RPC. */
  receive(value: unknown): boolean {
    // A batch, which the version of 2025-03-26 allows.
    if (Array.isArray(value)) return value.length > 0 && value.map((one) => this.receive(one)).every(Boolean);
    if (!isRecord(value)) return false;
    const { id, method } = value;
    const params = isRecord(value.params) ? value.params : {};
    const isRequest = (typeof id === 'number' || typeof id === 'string') && typeof method === 'string';
    if (isRequest) this.#answer(id, method);
    else if (typeof method === 'string' && id === undefined) this.#notified(method, params);
    else if (method === undefined && id !== undefined) this.#answered(value);
    else return false;
    return true;
  }

  /** The answer to one request will not come. */
  lose(id: number, fault: ServerFault): void {
    this.#pending.get(id)?.settle({ error: fault });
  }

  /** Nobody is there any more: for the calls that wait, and for all that come. */
  end(fault: ServerFault): void {
    this.#fault ??= fault;
    for (const { settle } of this.#pending.values()) settle({ error: this.#fault });
  }

  #answered(message: Fields): void {
    // A number that came back as a text is still the number.
    const pending = this.#pending.get(Number(message.id));
    if (pending === undefined) return;
    const { error, result } = message;
    if (isRecord(error)) {
      const text = typeof error.message === 'string' ? error.message : JSON.stringify(error);
      pending.settle({ error: new RpcErrorAnswer(error.code, text) });
    } else if (result === undefined) {
      pending.settle({ error: new ServerFault(answerShapeText) });
    } else pending.settle({ result });
  }

  /** Of all that a server may ask of a client, we offer the answer to `ping`. */
  #answer(id: number | string, method: string): void {
    const body =
      method === 'ping' ? { result: {} } : { error: { code: methodNotFound, message: `not offered: ${method}` } };
    this.#send({ jsonrpc: '2.0', id, ...body }).catch(ignore);
  }

  #notified(method: string, params: Fields): void {
    if (method === 'notifications/progress') this.#pending.get(Number(params.progressToken))?.onProgress?.(params);
    else this.#onNotification(method, params);
  }

  #say(method: string, params: Fields): void {
    this.#send({ jsonrpc: '2.0', method, params }).catch(ignore);
  }

  async #send(message: RpcMessage): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    await this.#channel?.send(message);
  }
}

/** Why a message did not get there is told by the end of the channel. */
const ignore = (): void => {};
