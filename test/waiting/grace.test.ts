import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredWithin } from '../../src/waiting/grace.js';

test('an answer within the time is given, a failed one and a late one are nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  assert.equal(await answeredWithin(10, Promise.resolve(5)), 5);
  assert.equal(await answeredWithin(10, Promise.reject(new Error('no'))), null);
  const late = answeredWithin(10, new Promise(() => {}));
  t.mock.timers.tick(10);
  assert.equal(await late, null);
});
