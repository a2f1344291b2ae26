import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest, sameWords } from '../../src/names/nearest-name.js';

test('a slip finds the name that was meant', () => {
  const names = ['read_file', 'write_file', '--tools', '--allow-tool'];
  assert.equal(nearest('read_fiel', names), 'read_file');
  assert.equal(nearest('wriet_file', names), 'write_file');
  assert.equal(nearest('--tool', names), '--tools');
  assert.equal(nearest('delete', names), undefined);
  assert.equal(nearest('', names), undefined);
});

test('neither case nor what stands between words counts', () => {
  assert.equal(nearest('ReadFile', ['read_fire', 'read_file']), 'read_file');
  assert.equal(sameWords('mcp__Files-2.日本'), 'mcpfiles2日本');
});

test('the end of a longer name finds it, unless a single slip finds another', () => {
  assert.equal(nearest('read_file', ['fs__search', 'fs__read_file']), 'fs__read_file');
  assert.equal(nearest('functions.read_file', ['search', 'read_file']), 'read_file');
  assert.equal(nearest('tool', ['allow_tool', 'tools']), 'tools');
});

test('of a short word something must be right, and a long one is nobody’s slip', () => {
  assert.equal(nearest('xy', ['ab']), undefined);
  assert.equal(nearest('a'.repeat(65), ['b'.repeat(65), `${'a'.repeat(64)}b`]), undefined);
});
