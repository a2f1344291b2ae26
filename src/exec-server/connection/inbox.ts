import type { RpcNotification, RpcRequest } from '../wire/rpc-message.js';

export type Inbound = RpcRequest | RpcNotification;

/** May a request start although all places are taken? `ahead` are those that arrived before it and wait. */
export type MayPass = (request: RpcRequest, ahead: readonly Inbound[]) => boolean;

/** Messages that have arrived, in their order, and how many requests may be under way. */
export class Inbox {
  readonly #waiting: Inbound[] = [];
  readonly #places: number;
  readonly #mayPass: MayPass;
  #running = 0;
  #unlimited = false;

  constructor(places: number, mayPass: MayPass = () => false) {
    this.#places = places;
    this.#mayPass = mayPass;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running;
  }

  add(message: Inbound): void {
    this.#waiting.push(message);
  }

  /** What has its turn now, if anything; a request counts as under way until `done`. */
  next(): Inbound | undefined {
    const index = this.#waiting.findIndex((message, at) => this.#hasTurn(message, at));
    if (index === -1) return undefined;
    const [message] = this.#waiting.splice(index, 1);
    if (message?.kind === 'request') this.#running++;
    return message;
  }

  done(): void {
    this.#running--;
  }

  /** Nobody waits for answers any more: everything that came has its turn at once. */
  openUp(): void {
    this.#unlimited = true;
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  #hasTurn(message: Inbound, at: number): boolean {
    const free = this.#unlimited || this.#running < this.#places;
    if (at === 0 && (message.kind === 'notification' || free)) return true;
    return !free && message.kind === 'request' && this.#mayPass(message, this.#waiting.slice(0, at));
  }
}
