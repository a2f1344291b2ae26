import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cwdFromUri, pathFromUri, uriFromPath } from '../../../src/exec-server/server/path-uri.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';

const strict = { acceptNative: false };
const path = (uri: string): string => pathFromUri(uri, strict);
const refusal = (work: () => unknown): [number, string] => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof RpcError, String(error));
    return [error.code, error.message];
  }
  throw new Error('was not refused');
};

test('a path is found behind every spelling of its URI', () => {
  for (const uri of [
    'file:///a/b',
    'file:/a/b',
    'FILE:///a/b',
    'file://localhost/a/b',
    'file:///a//b/',
    'file:///a%2Fb',
  ]) {
    assert.equal(path(uri), '/a/b', uri);
  }
  assert.equal(path('file:///sp ace/%C3%BC'), '/sp ace/ü');
  assert.equal(path('file:///'), '/');
  assert.equal(path('file:///a%zz'), '/a%zz', 'a broken sequence stands for itself');
});

test('two dots are resolved before any link is looked at, also encoded', () => {
  for (const uri of ['file:///a/x/../b', 'file:///a/x/%2E%2E/b', 'file:///a/x/%2E%2E%2Fb', 'file:///../a/b']) {
    assert.equal(path(uri), '/a/b', uri);
  }
});

test('what is no file URI of this machine is refused in the words of the reference', () => {
  assert.deepEqual(
    refusal(() => path('/tmp')),
    [-32602, 'invalid URI: relative URL without a base'],
  );
  assert.deepEqual(
    refusal(() => path('')),
    [-32602, 'invalid URI: relative URL without a base'],
  );
  assert.deepEqual(
    refusal(() => path('http://x/')),
    [-32602, 'unsupported path URI scheme `http`'],
  );
  assert.deepEqual(
    refusal(() => path('file:///a?b')),
    [-32602, 'query parameters are not allowed in path URIs'],
  );
  assert.deepEqual(
    refusal(() => path('file:///a#b')),
    [-32602, 'fragments are not allowed in path URIs'],
  );
  assert.deepEqual(
    refusal(() => path('file://h/a')),
    [-32600, "'file://h/a' is invalid on 'linux'"],
  );
  assert.deepEqual(
    refusal(() => path('file:///C:/a')),
    [-32600, "'file:///C:/a' is invalid on 'linux'"],
  );
  assert.deepEqual(
    refusal(() => path('file:///a%00')),
    [-32602, "'file:///a%00' is invalid on 'linux'"],
  );
});

test('a foreign working directory is refused as a parameter', () => {
  const [code, message] = refusal(() => cwdFromUri('file://host/tmp', strict));
  assert.equal(code, -32602);
  assert.equal(
    message,
    "cwd URI `file://host/tmp` is not valid on this exec-server host: 'file://host/tmp' is invalid on 'linux'",
  );
});

test('native paths are taken where that is asked for', () => {
  assert.equal(pathFromUri('/a/../b/', { acceptNative: true }), '/b');
  assert.throws(() => pathFromUri('b', { acceptNative: true }));
});

test('a path survives the way to its URI and back', () => {
  for (const one of ['/a b', '/ü', '/a%20b', '/a?b#c', '/new\nline']) assert.equal(path(uriFromPath(one)), one);
});
