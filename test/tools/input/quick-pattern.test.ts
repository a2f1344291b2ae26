import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isQuickPattern } from '../../../src/tools/input/quick-pattern.js';

test('usual patterns are asserted', () => {
  for (const pattern of [
    '^[a-z]+$',
    '^[^@]+@[^@]+\\.[^@]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(GET|POST)$',
    '^v?\\d+$',
    '[(+*]{2}',
    '^\\p{L}+$',
    '^(?:ab)?c$',
    '\\(\\)+',
  ]) {
    assert.equal(isQuickPattern(pattern), true, pattern);
  }
});

test('what may take for ever is not', () => {
  for (const pattern of [
    '^(a+)+$',
    '(a|a)*b',
    '(?:a*){3}',
    '(x+x+)+y',
    '^a*a*a*a*$',
    'a*b*c*',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a?a?a?a?a?a?a?aaaaaaa',
    '(a{1,9}){1,9}',
    '^([a-z]+\\.)*[a-z]+$',
  ]) {
    assert.equal(isQuickPattern(pattern), false, pattern);
  }
});

test('the older syntax is not asserted, and what is none is refused', () => {
  assert.equal(isQuickPattern('^[\\w-.]+$'), false);
  assert.throws(() => isQuickPattern('('), { name: 'SyntaxError', message: '`(` is no regular expression' });
});

test('patterns that are asserted end soon on short texts', () => {
  const texts = ['a'.repeat(300), `${'a'.repeat(299)}!`, 'ab'.repeat(150), '-'.repeat(300)];
  for (const pattern of ['^[a-z]+[a-y]+[a-x]+!$', '[a-z]+[a-y]+!', '^a?a?a?a?a?a?a+$', '(a|ab|b|a|ab|b|a)c']) {
    assert.equal(isQuickPattern(pattern), true, pattern);
    const regex = new RegExp(pattern, 'u');
    // A search that is not over within seconds would hit the limit of this file.
    for (const text of texts) regex.test(text);
  }
});
