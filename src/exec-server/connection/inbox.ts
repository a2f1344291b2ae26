import type { RpcNotification, RpcRequest } from '../wire/rpc-message.js';

export type Inbound = RpcRequest | RpcNotification;

/** Which request may start although all places are taken. */
export interface Passing {
  mayPass(request: RpcRequest): boolean;
  /** Although it may pass others, it stays behind this one, which arrived before it. */
  mayNotPass(request: RpcRequest, other: Inbound): boolean;
}

export interface InboxOptions {
  /** Requests under way at once; who passes starts although there is none free. */
  readonly places: number;
  /** Default: none passes. */
  readonly passing?: Passing | undefined;
}

/** What may start: nothing but notifications, also what may pass, or whatever there is a place for. */
export type Admission = 'none' | 'passing' | 'all';

/** Messages that have arrived, in their order, and how many requests may be under way. */
export class Inbox {
  readonly #waiting: Inbound[] = [];
  readonly #places: number;
  readonly #passing: Passing | undefined;
  /** Of those that wait, who may start before its turn. */
  readonly #free = new Set<RpcRequest>();
  /** Who may, as soon as the one is gone behind which it stays. */
  readonly #behind = new Map<Inbound, RpcRequest[]>();
  /** Of what waits or is under way. */
  readonly #sizes = new Map<Inbound, number>();
  #bytes = 0;
  #running = 0;
  #unlimited = false;

  constructor({ places, passing }: InboxOptions) {
    this.#places = places;
    this.#passing = passing;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running;
  }

  /** Of the messages that wait or are under way, as they came. */
  get bytes(): number {
    return this.#bytes;
  }

  add(message: Inbound, bytes: number): void {
    this.#sizes.set(message, bytes);
    this.#bytes += bytes;
    if (message.kind === 'request' && this.#passing?.mayPass(message) === true) this.#note(message, this.#passing);
    this.#waiting.push(message);
  }

  /** What has its turn now, if anything; a request counts as under way until `done`. */
  next(admission: Admission): Inbound | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const room = this.#unlimited || (admission === 'all' && this.#running < this.#places);
    if (first.kind === 'notification' || room) return this.#take(first, 0);
    if (admission === 'none') return undefined;
    for (const request of this.#free) return this.#take(request, this.#waiting.indexOf(request));
    return undefined;
  }

  done(request: RpcRequest): void {
    this.#running--;
    this.#forget(request);
  }

  /** Nobody waits for answers any more: everything that came has its turn at once. */
  openUp(): void {
    this.#unlimited = true;
  }

  clear(): void {
    for (const message of this.#waiting.splice(0)) this.#forget(message);
    this.#free.clear();
    this.#behind.clear();
  }

  #note(request: RpcRequest, passing: Passing): void {
    const blocker = this.#waiting.findLast((other) => passing.mayNotPass(request, other));
    if (blocker === undefined) this.#free.add(request);
    else if (this.#behind.get(blocker)?.push(request) === undefined) this.#behind.set(blocker, [request]);
  }

  #take(message: Inbound, index: number): Inbound {
    this.#waiting.splice(index, 1);
    if (message.kind === 'request') {
      this.#running++;
      this.#free.delete(message);
    } else this.#forget(message);
    for (const request of this.#behind.get(message) ?? []) this.#free.add(request);
    this.#behind.delete(message);
    return message;
  }

  #forget(message: Inbound): void {
    this.#bytes -= this.#sizes.get(message) ?? 0;
    this.#sizes.delete(message);
  }
}
