import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodemodeError } from '../../../src/errors.js';
import {
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  parseMessage,
} from '../../../src/exec-server/wire/rpc-message.js';

const complaintAbout = (source: string): string => {
  try {
    parseMessage(source);
  } catch (error) {
    assert.ok(error instanceof CodemodeError);
    return error.message;
  }
  return assert.fail(`accepted: ${source}`);
};

test('the four kinds of message are told apart as the reference does', () => {
  assert.deepEqual(parseMessage('{"id":9,"method":"m","params":{"a":1}}'), {
    kind: 'request',
    id: 9,
    method: 'm',
    params: { a: 1 },
  });
  assert.deepEqual(parseMessage('{"id":9,"result":{},"method":"m"}'), {
    kind: 'request',
    id: 9,
    method: 'm',
    params: null,
  });
  assert.deepEqual(parseMessage('{"method":"m"}'), { kind: 'notification', method: 'm', params: null });
  assert.deepEqual(parseMessage('{"id":"a","result":null}'), { kind: 'response', id: 'a', result: null });
  assert.deepEqual(parseMessage('{"id":1,"error":{"code":-1,"message":"x","data":0}}'), {
    kind: 'error',
    id: 1,
    error: { code: -1, message: 'x', data: 0 },
  });
});

test('`jsonrpc` of any value and unknown members are ignored', () => {
  for (const extra of ['"jsonrpc":"2.0"', '"jsonrpc":2', '"meta":{"a":[1]}', '"trace":null']) {
    assert.equal(parseMessage(`{${extra},"id":9,"method":"m"}`).kind, 'request');
  }
});

test('an id is any string or any integer of 64 bits', () => {
  for (const id of [
    '"abc"',
    '""',
    '0',
    '-7',
    '-1',
    '9223372036854775807',
    '-9223372036854775808',
    '9007199254740993',
  ]) {
    const message = parseMessage(`{"id":${id},"method":"m"}`);
    assert.ok(message.kind === 'request');
    assert.equal(encodeResult(message.id, {}), `{"id":${id},"result":{}}`);
  }
});

test('anything else as id is malformed', () => {
  for (const id of [
    '1.5',
    '1.0',
    '1e3',
    '-0',
    'true',
    'null',
    '[1]',
    '{}',
    '9223372036854775808',
    `1${'0'.repeat(200)}`,
  ]) {
    assert.equal(
      complaintAbout(`{"id":${id},"method":"m"}`),
      'data did not match any variant of untagged enum RequestId',
      id,
    );
  }
});

test('what is no message is refused in the words of the reference', () => {
  for (const source of ['5', '"x"', 'null', 'true', '[]', '"id": 9,', '5 x', '[{"id":9,"method":"m"}]', '[[]]']) {
    assert.equal(complaintAbout(source), 'expected a JSON-RPC object', source);
  }
  assert.equal(complaintAbout('{}'), 'missing field `error`');
  assert.equal(complaintAbout('{"id":9,"params":{}}'), 'missing field `error`');
  assert.equal(complaintAbout('{"error":{"code":1,"message":"x"}}'), 'missing field `id`');
  assert.equal(complaintAbout('{"id":9,"method":5}'), 'invalid type: number, expected a string');
  assert.equal(complaintAbout('{"id":9,"method":null}'), 'invalid type: null, expected a string');
  assert.equal(
    complaintAbout('{"id":9,"method":"m","trace":5}'),
    'invalid type: number, expected struct W3cTraceContext',
  );
  assert.equal(
    complaintAbout('{"id":9,"method":"m","trace":{"traceparent":5}}'),
    'invalid type: number, expected a string',
  );
});

test('messages are written with their members in the order of the reference', () => {
  assert.equal(encodeResult(1, undefined), '{"id":1,"result":null}');
  assert.equal(encodeError('a', { code: -32600, message: 'm' }), '{"error":{"code":-32600,"message":"m"},"id":"a"}');
  assert.equal(encodeRequest(7, 'm', { a: 1 }), '{"id":7,"method":"m","params":{"a":1}}');
  assert.equal(encodeNotification('m', {}), '{"method":"m","params":{}}');
});
