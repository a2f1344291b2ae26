import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeExit } from '../../src/process/exit-status.js';

test('an exit is spelt as the reference spells it', () => {
  assert.equal(describeExit({ code: 3, signal: null }), 'exit status: 3');
  assert.equal(describeExit({ code: 0, signal: null }), 'exit status: 0');
  assert.equal(describeExit({ code: null, signal: 'SIGKILL' }), 'signal: 9 (SIGKILL)');
  assert.equal(describeExit({ code: null, signal: 'SIGTERM' }), 'signal: 15 (SIGTERM)');
  assert.equal(describeExit({ code: null, signal: 'SIGSEGV' }), 'signal: 11 (SIGSEGV)');
});

test('an end that was never seen is said to be unknown', () => {
  assert.equal(describeExit({ code: null, signal: null }), 'exit status: unknown');
});
