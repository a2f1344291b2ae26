import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilRead } from '../../../src/exec-server/server/stdin-wait.js';
import type { StdinWriter } from '../../../src/exec-server/server/stdin-writer.js';
import { Waiters } from '../../../src/exec-server/server/waiters.js';

const limits = { highBytes: 10, quietMs: 3_600_000 };

function stdinOf(waiters: Waiters, queuedBytes: number): StdinWriter {
  return {
    queuedBytes,
    endBytes: 0,
    quietMs: 0,
    closed: false,
    write: () => {},
    end: () => {},
    destroy: () => {},
    onProgress: (then) => waiters.add(then),
  };
}

test('whoever gives up waiting for a child is not kept by its stdin', async () => {
  const waiters = new Waiters();
  const over = new AbortController();
  const crowded = new AbortController();
  const wait = { over: [over.signal], crowded: crowded.signal, moved: () => {} };
  const waiting = untilRead(stdinOf(waiters, 11), limits, wait);
  assert.equal(waiters.size, 1);
  crowded.abort();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(waiters.size, 1, 'it waits on');
  over.abort();
  await waiting;
  assert.equal(waiters.size, 0);
});

test('each is told once, and whoever comes while others are told is not one of them', () => {
  const waiters = new Waiters();
  const told: string[] = [];
  const first = (): void => {
    told.push('first');
    waiters.add(() => told.push('later'));
  };
  waiters.add(first);
  waiters.add(() => told.push('never'))();
  waiters.wake();
  assert.deepEqual(told, ['first']);
  waiters.wake();
  assert.deepEqual(told, ['first', 'later']);
});
