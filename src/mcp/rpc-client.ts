import { onAbort } from '../waiting/on-abort.js';
import { untilAborted } from '../waiting/until-aborted.js';
import type { Channel, RpcMessage } from './channel.js';
import { answerDepthText, answerShapeText, cancelledText, notOfferedText, unreadAnswersText } from './messages.js';
import { deepestValue, isDeeperThan } from './nesting.js';
import { asFault, RpcErrorAnswer, ServerFault } from './server-fault.js';
import { type Fields, isRecord } from './value.js';

export interface RequestOptions {
  /** Gives the request up, and tells the server so. */
  readonly signal?: AbortSignal | undefined;
  /** For `initialize`, which the protocol does not let anybody take back. */
  readonly silent?: boolean | undefined;
  /** The result may be nested as deeply as it likes. */
  readonly deep?: boolean | undefined;
  readonly onProgress?: ((params: Fields) => void) | undefined;
}

interface Pending {
  readonly settle: (outcome: { readonly result: unknown } | { readonly error: Error }) => void;
  readonly deep: boolean;
  readonly onProgress: RequestOptions['onProgress'];
}

const methodNotFound = -32_601;
/** Answers to the other side that are on their way. One that does not read gets no more. */
const mostAnswers = 1_000;
/** Longer ids are not given back. */
const longestId = 256;

/** The requests of one conversation in JSON-RPC, and the answers to them. */
export class RpcClient {
  readonly #pending = new Map<number, Pending>();
  readonly #onNotification: (method: string, params: Fields) => void;
  #channel: Channel | undefined;
  #fault: ServerFault | undefined;
  #ids = 0;
  #answers = 0;

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
    let stopListening = (): void => {};
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#pending.set(id, {
          settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result)),
          deep: options.deep === true,
          onProgress: options.onProgress,
        });
        stopListening = onAbort(signal, () => {
          if (options.silent !== true) this.#say('notifications/cancelled', { requestId: id, reason: cancelledText });
          reject(signal?.reason);
        });
        this.#send(message).catch((error: unknown) => this.lose(id, asFault(error)));
      });
    } finally {
      this.#pending.delete(id);
      this.#channel?.forget(id);
      stopListening();
    }
  }

  async notify(method: string, signal: AbortSignal): Promise<void> {
    await untilAborted(this.#send({ jsonrpc: '2.0', method }), signal);
  }

  /** False when this is no message of JSON-RPC, or a notification that is nested too deeply to be handed on. */
  receive(value: unknown): boolean {
    // A batch, which the version of 2025-03-26 allows; it is made of messages, not of batches.
    const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
    return messages.length > 0 && messages.map((one) => this.#take(one)).every(Boolean);
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

  #take(value: unknown): boolean {
    if (!isRecord(value)) return false;
    const { id, method, params } = value;
    if (this.#pendingOf(id) !== undefined && (method === undefined || isOutcome(value))) this.#answered(value);
    else if (typeof method === 'string' && isId(id)) return this.#answer(id, method);
    else if (typeof method === 'string' && id === undefined && !isDeeperThan(deepestValue, params)) {
      this.#notified(method, isRecord(params) ? params : {});
    }
    // Of a request that it could not read, a server does not know the id.
    else if (method !== undefined || !(isId(id) || id === null)) return false;
    return true;
  }

  /** Ids and tokens are ours, numbers. One that came back as a text is still the number. */
  #pendingOf(id: unknown): Pending | undefined {
    return isId(id) ? this.#pending.get(Number(id)) : undefined;
  }

  #answered(message: Fields): void {
    const pending = this.#pendingOf(message.id);
    if (pending === undefined) return;
    const { error, result } = message;
    if (!(pending.deep && error === undefined) && isDeeperThan(deepestValue, message)) {
      pending.settle({ error: new ServerFault(answerDepthText(deepestValue)) });
    } else if (isRecord(error)) {
      const text = typeof error.message === 'string' ? error.message : JSON.stringify(error);
      pending.settle({ error: new RpcErrorAnswer(error.code, text) });
    } else if (result === undefined) {
      pending.settle({ error: new ServerFault(answerShapeText) });
    } else pending.settle({ result });
  }

  /** Of all that a server may ask of a client, we offer the answer to `ping`. False for an id that is too long. */
  #answer(id: number | string, method: string): boolean {
    if (typeof id === 'string' && id.length > longestId) return false;
    if (this.#answers >= mostAnswers) {
      this.#channel?.giveUp(unreadAnswersText(mostAnswers));
      return true;
    }
    const body =
      method === 'ping' ? { result: {} } : { error: { code: methodNotFound, message: notOfferedText(method) } };
    this.#answers += 1;
    const sent = this.#send({ jsonrpc: '2.0', id, ...body }).catch(ignore);
    void sent.then(() => {
      this.#answers -= 1;
    });
    return true;
  }

  #notified(method: string, params: Fields): void {
    if (method === 'notifications/progress') this.#pendingOf(params.progressToken)?.onProgress?.(params);
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

const isId = (value: unknown): value is number | string => typeof value === 'number' || typeof value === 'string';

const isOutcome = (message: Fields): boolean => message.result !== undefined || message.error !== undefined;

/** Why a message did not get there is told by the end of the channel. */
const ignore = (): void => {};
