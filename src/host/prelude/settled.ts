import { apply } from './bridge.js';

type Settled =
  | { index: unknown; status: 'fulfilled'; value: unknown }
  | { index: unknown; status: 'rejected'; reason: unknown };

const PromiseOf = Promise;
const resolvePromise = Promise.resolve;
const then = Promise.prototype.then;
const MapOf = Map;

interface Queue {
  readonly settled: Settled[];
  expected: number;
  taken: number;
  wake: (() => void) | undefined;
}

function adopt(queue: Queue, index: unknown, value: unknown): void {
  queue.expected++;
  const push = (entry: Settled) => {
    queue.settled[queue.settled.length] = entry;
    queue.wake?.();
  };
  const promise = apply(resolvePromise, PromiseOf, [value]);
  apply(then, promise, [
    (result: unknown) => push({ index, status: 'fulfilled', value: result }),
    (reason: unknown) => push({ index, status: 'rejected', reason }),
  ]);
}

async function* drain(queue: Queue): AsyncGenerator<Settled, void, void> {
  while (queue.taken < queue.expected) {
    const entry = queue.settled[queue.taken];
    if (entry === undefined) {
      await new PromiseOf<void>((resolve) => {
        queue.wake = resolve;
      });
      continue;
    }
    queue.taken++;
    yield entry;
  }
}

/** Results in the order in which they settle; a Map's keys are the indexes. */
export function as_settled(promises: Iterable<unknown>): AsyncGenerator<Settled, void, void> {
  const queue: Queue = { settled: [], expected: 0, taken: 0, wake: undefined };
  if (promises === null || promises === undefined || typeof promises[Symbol.iterator] !== 'function') {
    throw new TypeError('promises is not iterable');
  }
  if (promises instanceof MapOf) for (const [key, value] of promises) adopt(queue, key, value);
  else for (const value of promises) adopt(queue, queue.expected, value);
  return drain(queue);
}

export async function stream_settled(promises: Iterable<unknown>, callback: unknown): Promise<void> {
  if (typeof callback !== 'function') throw new TypeError('stream_settled requires a callback');
  for await (const entry of as_settled(promises)) await callback(entry);
}
