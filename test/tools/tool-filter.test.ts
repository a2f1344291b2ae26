import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolFilter } from '../../src/tools/tool-filter.js';

const tools = ['fs/read', 'fs/write', '.hidden', 'search', 'a*b', 'a-b'].map((name) => ({
  name,
  property: name.replace(/\W/g, '_'),
}));
const offered = (options: ConstructorParameters<typeof ToolFilter>[0]): string[] => {
  const filter = new ToolFilter(options);
  return tools.filter((tool) => filter.offers(tool)).map(({ name }) => name);
};

test('without lists all tools are offered, with an empty allow list none', () => {
  assert.equal(offered({}).length, tools.length);
  assert.deepEqual(offered({ allow: [] }), []);
});

test('a star means every name, also one with a slash or a dot in front', () => {
  assert.equal(offered({ allow: ['*'] }).length, tools.length);
  assert.deepEqual(offered({ deny: ['*'] }), []);
});

test('deny wins, whatever is allowed', () => {
  assert.deepEqual(offered({ allow: ['fs/*', 'search'], deny: ['*write'] }), ['fs/read', 'search']);
  assert.deepEqual(offered({ allow: ['search'], deny: ['search'] }), []);
});

test('a glob may mean the name in cells', () => {
  assert.deepEqual(offered({ allow: ['fs_*'] }), ['fs/read', 'fs/write']);
  assert.deepEqual(offered({ deny: ['fs_write', '_hidden', 'a*'] }), ['fs/read', 'search']);
});

test('sets and alternatives are globs as well', () => {
  assert.deepEqual(offered({ allow: ['{search,a-?}'] }), ['search', 'a-b']);
});

test('globs that mean no tool are told', () => {
  const filter = new ToolFilter({ allow: ['*', 'serch'], deny: ['exec_comand'] });
  assert.deepEqual(filter.unused(tools), ['serch', 'exec_comand']);
});

test('what is no glob is refused by its place', () => {
  for (const [options, message] of [
    [{ allow: 'search' }, 'allow must be an array of globs, got a string'],
    [{ deny: [''] }, 'deny[0] must be a glob over tool names, a non-empty string, got an empty string'],
    [{ deny: ['a', 3] }, 'deny[1] must be a glob over tool names, a non-empty string, got a number'],
  ] as const) {
    assert.throws(() => new ToolFilter(options as never), { code: 'invalid-argument', message });
  }
});

test('a star at the beginning also means a name with a dot there', () => {
  assert.deepEqual(offered({ allow: ['*hidden', '?hidden'] }), ['.hidden']);
  assert.deepEqual(new ToolFilter({ allow: ['?hidden'] }).unused([{ name: '.hidden', property: 'x' }]), []);
});
