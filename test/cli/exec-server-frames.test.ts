import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framesOf } from '../../src/cli/exec-server-frames.js';

const thrown = (stack: unknown): Error => Object.assign(new Error('x'), { stack });

test('the frames of a fault are told, those of our own bundle and of Node too', () => {
  const stack = 'Error: a\nb\n    at run (/x/dist/cli.cjs:1:2)\n    at node:internal/timers:5:7\n  who knows';
  assert.deepEqual(framesOf(thrown(stack)), ['  at run (/x/dist/cli.cjs:1:2)', '  at node:internal/timers:5:7']);
  const many = framesOf(thrown(`Error\n${`    at ${'f'.repeat(9_000)}\n`.repeat(50)}`));
  assert.equal(many.length, 10);
  assert.ok(many.every((line) => line.length < 410));
});

test('what has no frames, or throws when it is asked for them, has none', () => {
  const trap = new Error('x');
  Object.defineProperty(trap, 'stack', {
    get: () => {
      throw new Error('trap');
    },
  });
  for (const none of [trap, thrown(5), thrown(undefined), 'text', undefined, null])
    assert.deepEqual(framesOf(none), []);
});
