import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Guard } from '../../../src/exec-server/wire/guard.js';
import {
  copyParams,
  createDirectoryParams,
  initializeParams,
  noParams,
  openParams,
  RpcError,
  readParams,
  readParamsWith,
  resizeParams,
  signalParams,
  startParams,
  writeParams,
} from '../../../src/exec-server/wire/index.js';
import { parseJson } from '../../../src/exec-server/wire/parse-json.js';

/** The text of the answer -32602 to these params, which are JSON. */
const refusal = (guard: Guard<unknown>, params: string | undefined): string => {
  try {
    readParamsWith(guard, params === undefined ? undefined : parseJson(params));
  } catch (error) {
    assert.ok(error instanceof RpcError);
    assert.equal(error.code, -32602);
    return error.message;
  }
  return assert.fail(`accepted: ${params}`);
};

const accepted = <T>(guard: Guard<T>, params: string): T => readParamsWith(guard, parseJson(params));

test('initialize needs the name of a client, which may be empty', () => {
  assert.equal(refusal(initializeParams, undefined), 'invalid type: null, expected struct InitializeParams');
  assert.equal(refusal(initializeParams, 'null'), 'invalid type: null, expected struct InitializeParams');
  assert.equal(refusal(initializeParams, '{}'), 'missing field `clientName`');
  assert.equal(refusal(initializeParams, '{"client_name":"p"}'), 'missing field `clientName`');
  assert.equal(refusal(initializeParams, '{"clientName":5}'), 'invalid type: number, expected a string');
  assert.equal(refusal(initializeParams, '["p"]'), 'invalid type: sequence, expected struct InitializeParams');
  assert.deepEqual(accepted(initializeParams, '{"clientName":"","resumeSessionId":null,"more":1}'), {
    clientName: '',
    resumeSessionId: null,
  });
});

const start = { processId: 'p', argv: ['true'], cwd: 'file:///', env: {}, tty: false };

test('process/start needs five members, and names the one that is missing', () => {
  for (const name of Object.keys(start)) {
    const without = Object.fromEntries(Object.entries(start).filter(([key]) => key !== name));
    assert.equal(refusal(startParams, JSON.stringify(without)), `missing field \`${name}\``);
  }
  assert.deepEqual(accepted(startParams, JSON.stringify({ ...start, arg0: null, sandbox: null, zzz: 1 })), {
    ...start,
    env: Object.assign(Object.create(null), {}),
    arg0: null,
    sandbox: null,
  });
});

test('null is not the same as absent, except for members that may be null', () => {
  const withMember = (name: string, value: unknown) => JSON.stringify({ ...start, [name]: value });
  assert.equal(refusal(startParams, withMember('tty', null)), 'invalid type: null, expected a boolean');
  assert.equal(refusal(startParams, withMember('pipeStdin', null)), 'invalid type: null, expected a boolean');
  assert.equal(refusal(startParams, withMember('env', null)), 'invalid type: null, expected a map');
  assert.equal(refusal(startParams, withMember('argv', 'x')), 'invalid type: string "x", expected a sequence');
  assert.equal(refusal(startParams, withMember('argv', [1])), 'invalid type: number, expected a string');
  assert.equal(accepted(createDirectoryParams, '{"path":"file:///","recursive":null}').recursive, null);
  assert.equal(refusal(copyParams, '{"sourcePath":"a","destinationPath":"b"}'), 'missing field `recursive`');
  assert.equal(
    refusal(copyParams, '{"sourcePath":"a","destinationPath":"b","recursive":null}'),
    'invalid type: null, expected a boolean',
  );
  assert.match(refusal(openParams, '{"handleId":"h","path":"file:///","mode":null}'), /^invalid type: null/);
});

test('an environment policy has all its five members', () => {
  const policy = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
  const withPolicy = (envPolicy: object) => JSON.stringify({ ...start, envPolicy });
  assert.equal(
    refusal(startParams, withPolicy({ ...policy, inherit: 'zzz' })),
    'unknown variant `zzz`, expected one of `core`, `all`, `none`',
  );
  const { ignoreDefaultExcludes: _, ...rest } = policy;
  assert.equal(refusal(startParams, withPolicy(rest)), 'missing field `ignoreDefaultExcludes`');
  assert.equal(accepted(startParams, withPolicy(policy)).envPolicy?.inherit, 'all');
});

test('a variable may be called __proto__', () => {
  const { env } = accepted(startParams, JSON.stringify(start).replace('"env":{}', '"env":{"__proto__":"x"}'));
  assert.deepEqual(Object.entries(env), [['__proto__', 'x']]);
});

test('numbers are integers of 64 bits without a sign, fraction or exponent', () => {
  const read = (number: string) => `{"processId":"p","afterSeq":${number}}`;
  for (const number of ['-1', '1.5', '1e3', '1.0', '18446744073709551616', '-0']) {
    assert.equal(refusal(readParams, read(number)), 'invalid number', number);
  }
  assert.equal(refusal(readParams, read('"1"')), 'invalid type: string "1", expected u64');
  assert.equal(accepted(readParams, read('18446744073709551615')).afterSeq, 2 ** 64);
  assert.equal(accepted(readParams, read('9007199254740993')).afterSeq, 9_007_199_254_740_992);
  assert.equal(accepted(readParams, read('0')).afterSeq, 0);
  assert.equal(accepted(readParams, read('null')).afterSeq, null);
});

test('write needs its id, and the only signal is interrupt', () => {
  assert.equal(refusal(writeParams, '{"processId":"p","chunk":""}'), 'missing field `writeId`');
  assert.equal(
    refusal(signalParams, '{"processId":"p","signal":"kill"}'),
    'unknown variant `kill`, expected `interrupt`',
  );
  assert.equal(
    refusal(openParams, '{"handleId":"h","path":"file:///","mode":"append"}'),
    'unknown variant `append`, expected `read` or `replace`',
  );
  assert.match(refusal(resizeParams, '{"processId":"p","rows":0,"cols":80}'), /^invalid value: 0/);
});

test('methods without parameters take an object, null and nothing', () => {
  for (const params of ['{}', 'null', '{"a":1}']) accepted(noParams, params);
  readParamsWith(noParams, undefined);
  assert.match(refusal(noParams, '[]'), /^invalid type: sequence/);
});
