import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { childEnvironment } from '../../../src/exec-server/server/environment-policy.js';
import type { EnvironmentPolicy } from '../../../src/exec-server/wire/index.js';

const own = { PATH: '/bin', HOME: '/root', SECRET_THING: 's', API_KEY: 'k', MY_TOKEN: 't', PLAIN: 'p', Probe_One: '1' };
const policy = (over: Partial<EnvironmentPolicy>): EnvironmentPolicy => ({
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
  ...over,
});
const names = (over: Partial<EnvironmentPolicy>, env: Record<string, string> = {}): string[] =>
  Object.keys(childEnvironment(own, policy(over), env)).sort();

test('without a policy the environment is exactly what was given', () => {
  assert.deepEqual({ ...childEnvironment(own, null, { ONLY: 'this' }) }, { ONLY: 'this' });
  assert.deepEqual({ ...childEnvironment(own, undefined, {}) }, {});
});

test('all, core and none of our own is inherited', () => {
  assert.deepEqual(names({ inherit: 'all' }), Object.keys(own).sort());
  assert.deepEqual(names({ inherit: 'core' }), ['HOME', 'PATH']);
  assert.deepEqual(names({ inherit: 'none' }), []);
});

test('what is given wins over what is set, and that over what is inherited', () => {
  const env = childEnvironment(own, policy({ set: { PLAIN: 'set', BOTH: 'set' } }), { BOTH: 'given' });
  assert.equal(env.PLAIN, 'set');
  assert.equal(env.BOTH, 'given');
});

test('patterns match in any case, and only what they say', () => {
  assert.deepEqual(names({ exclude: ['probe_*'], inherit: 'all' }).includes('Probe_One'), false);
  assert.deepEqual(names({ includeOnly: ['P?TH', '[H]OME'] }), ['HOME', 'PATH']);
  assert.deepEqual(names({ includeOnly: ['[!p]*'] }), ['API_KEY', 'HOME', 'MY_TOKEN', 'SECRET_THING']);
  assert.deepEqual(names({ includeOnly: ['PLAI'] }), []);
  assert.deepEqual(names({ includeOnly: ['.*'] }), []);
});

test('only what is inherited is dropped for looking like a secret', () => {
  const dropped = names({ ignoreDefaultExcludes: false, set: { SET_KEY: '1' } }, { GIVEN_TOKEN: '1' });
  assert.deepEqual(dropped, ['GIVEN_TOKEN', 'HOME', 'PATH', 'PLAIN', 'Probe_One', 'SET_KEY']);
});

test('a list of wanted names also drops what is set, never what is given', () => {
  assert.deepEqual(names({ includeOnly: ['PATH'], set: { Q: '2' } }, { Z: '1' }), ['PATH', 'Z']);
});

test('a pattern full of stars is answered at once', () => {
  const answer = (): string[] => names({ includeOnly: [`${'*a'.repeat(40)}!`], set: { ['A'.repeat(60)]: '' } });
  // Whoever tries all ways to match is not done in a million years; it is stopped there, as nothing else can.
  assert.deepEqual(runInNewContext('answer()', { answer }, { timeout: 30_000 }), []);
});

test('patterns that would take long against very long names are refused', () => {
  const set = { [`A${'a'.repeat(60_000)}`]: '' };
  assert.throws(() => names({ includeOnly: [`*${'a'.repeat(1_000)}b`], set }), { code: -32602, message: /too long/ });
  assert.equal(names({ includeOnly: ['*a'], set }).length, 1);
});

test('our own parent is not handed down', () => {
  const given = { CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE: '1', A: '1' };
  assert.deepEqual({ ...childEnvironment({}, null, given) }, { A: '1' });
});
