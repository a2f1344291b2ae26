import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callableNames } from '../../src/tools/names.js';

const named = (...names: string[]): Record<string, string> => Object.fromEntries(callableNames(names));

test('a name that is unique keeps what the reference makes of it, reserved words too', () => {
  const words = ['delete', 'class', 'await', 'eval', 'arguments', 'enum', 'let', 'constructor', 'toString', 'valueOf'];
  assert.deepEqual(named(...words), Object.fromEntries(words.map((word) => [word, word])));
  assert.deepEqual(named('get-user', '1st', 'a.b/c', '', '用户'), {
    'get-user': 'get_user',
    '1st': '_st',
    'a.b/c': 'a_b_c',
    '': '_',
    用户: '__',
  });
});

test('what JavaScript reads by itself gets an underscore', () => {
  const names = callableNames(['then', '__proto__', 'toJSON']);
  assert.deepEqual([...names.values()], ['then_', '__proto___', 'toJSON_']);
});

test('of names that would become one, the one that is it keeps it, and the others are told apart', () => {
  const names = ['get-user', 'get_user', 'get.user', 'getUser', 'Get User', '用户', '1st', '', '😀😀', 'then', 'then_'];
  const made = callableNames(names);
  assert.equal(made.get('get_user'), 'get_user');
  assert.equal(made.get('getUser'), 'getUser');
  assert.equal(made.get('then_'), 'then_');
  for (const name of ['get-user', 'get.user']) assert.match(made.get(name) ?? '', /^get_user_[0-9a-f]{4}$/);
  assert.match(made.get('then') ?? '', /^then__[0-9a-f]{4}$/);
  assert.equal(new Set(made.values()).size, names.length);
});

test('a suffix grows until no other tool has the name', () => {
  const [first = '', second = ''] = ['get-user', 'get.user'].map((name) => callableNames(['get_user', name]).get(name));
  const made = callableNames(['get_user', 'get-user', 'get.user', first, second]);
  assert.equal(made.get(first), first);
  assert.ok(made.get('get-user')?.startsWith(first) === true && made.get('get-user') !== first);
  assert.ok(made.get('get.user')?.startsWith(second) === true && made.get('get.user') !== second);
});

test('whatever the names: valid identifiers, all different, in any order the same', () => {
  const unit = fc.constantFrom('a', 'A', '1', '_', '-', '.', ' ', '$', 'é', '用', '😀', '\ud800', '\0');
  const name = fc.oneof(fc.string({ unit, maxLength: 6 }), fc.constantFrom('then', '__proto__', '_proto__', 'toJSON'));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (names, random) => {
      const made = callableNames(names);
      assert.equal(made.size, names.length);
      assert.equal(new Set(made.values()).size, names.length);
      for (const property of made.values()) assert.match(property, /^[A-Za-z_$][A-Za-z0-9_$]*$/);
      const shuffled = names
        .map((one) => [random.next().value, one] as const)
        .sort(([one], [other]) => one - other)
        .map(([, one]) => one);
      for (const [one, property] of callableNames(shuffled)) assert.equal(property, made.get(one));
    }),
    { numRuns: 300 },
  );
});

test('thousands of names that all become one are told apart', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  assert.equal(new Set(callableNames(names).values()).size, names.length);
});
