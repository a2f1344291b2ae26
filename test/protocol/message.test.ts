import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseClientMessage } from '../../src/protocol/client-message.js';
import { parseHostMessage } from '../../src/protocol/host-message.js';

const tool = { name: 't', tool_name: { name: 't' }, description: '', kind: 'function' };
const execute = { tool_call_id: 'c', enabled_tools: [tool], source: '1' };
const request = (inner: object) => ({ type: 'operation/request', id: 9, request: inner });
const onSession = (method: string, more: object) => request({ method, sessionId: 's', ...more });

const clientMessages: readonly object[] = [
  { type: 'connection/hello', supportedVersions: [1], requiredCapabilities: [], optionalCapabilities: ['a'] },
  onSession('session/open', {}),
  onSession('session/open', { cellExecutionLimits: {}, outputTruncation: null }),
  onSession('session/open', { cellExecutionLimits: { maxYieldTimeMs: null }, outputTruncation: 'server' }),
  onSession('session/execute', { request: execute }),
  onSession('session/execute', {
    request: { ...execute, yield_time_ms: null, max_output_tokens: -1, catalog_revision: 2 ** 60 },
  }),
  onSession('session/wait', { request: { cell_id: '', yield_time_ms: 0 }, maxOutputTokens: null }),
  onSession('session/terminate', { cellId: '1' }),
  onSession('session/shutdown', {}),
  { type: 'operation/cancel', id: -7 },
  { type: 'operation/yield', id: 9223372036854775807n },
  { type: 'delegate/response', id: 1, result: { status: 'ok', value: { type: 'tool/result', result: null } } },
  { type: 'delegate/response', id: 1, result: { status: 'error', message: '' } },
];

test('every client message passes as it is', () => {
  for (const message of clientMessages) assert.deepEqual(parseClientMessage(message), message);
});

test('an unknown field of a client is refused at every level, and named with its place', () => {
  const fault = (message: object, text: RegExp) =>
    assert.throws(() => parseClientMessage(message), { code: 'protocol-error', message: text });
  for (const message of clientMessages) fault({ ...message, zz: 1 }, /^unknown field `zz`, expected one of `type`/);
  fault(onSession('session/open', { zz: 1 }), /unknown field `zz` in `request`/);
  fault(onSession('session/open', { cellExecutionLimits: { zz: 1 } }), /in `request.cellExecutionLimits`/);
  fault(onSession('session/execute', { request: execute, cellId: '1' }), /unknown field `cellId` in `request`/);
  fault(
    onSession('session/execute', { request: { ...execute, enabled_tools: [{ ...tool, zz: 1 }] } }),
    /in `request.request.enabled_tools\[0\]`/,
  );
});

test('only beside notification/delivered may a client say more, as with the reference', () => {
  parseClientMessage({
    type: 'delegate/response',
    id: 1,
    result: { status: 'ok', value: { type: 'notification/delivered', zz: 1 } },
  });
});

for (const [what, message] of [
  ['a string id', { type: 'operation/cancel', id: '1' }],
  ['a fractional id', { type: 'operation/cancel', id: 1.5 }],
  ['an id beyond 64 bits', { type: 'operation/cancel', id: 2n ** 63n }],
  ['no id', { type: 'operation/cancel' }],
  ['an unknown type', { type: 'bogus', id: 1 }],
  ['no type', { id: 1 }],
  ['a list', []],
  ['null', null],
  ['a blank session id', onSession('session/open', { sessionId: ' ' })],
  ['a negative yield time', onSession('session/wait', { request: { cell_id: '1', yield_time_ms: -1 } })],
  ['a missing yield time', onSession('session/wait', { request: { cell_id: '1' } })],
  ['too many output tokens', onSession('session/execute', { request: { ...execute, max_output_tokens: 2 ** 31 } })],
  [
    'a tool of unknown kind',
    onSession('session/execute', { request: { ...execute, enabled_tools: [{ ...tool, kind: 'x' }] } }),
  ],
  ['no versions', { ...clientMessages[0], supportedVersions: [] }],
  ['version 0', { ...clientMessages[0], supportedVersions: [0] }],
  ['a version twice', { ...clientMessages[0], supportedVersions: [1, 1] }],
  ['a capability twice', { ...clientMessages[0], optionalCapabilities: ['a', 'a'] }],
  ['a blank capability', { ...clientMessages[0], optionalCapabilities: [' '] }],
  ['a capability in both lists', { ...clientMessages[0], requiredCapabilities: ['a'] }],
] as const) {
  test(`a client's message with ${what} is refused`, () => {
    assert.throws(() => parseClientMessage(message), { code: 'protocol-error' });
  });
}

const progress = { cell_id: '1', content_items: [], code_mode_host_duration_ns: 5 };

test('an unknown field of a host is dropped', () => {
  const message = { type: 'cell/closed', sessionId: 's', cellId: '1' };
  assert.deepEqual(parseHostMessage({ ...message, extra: 1 }), message);
});

test('a result may leave out its error and its buffered time', () => {
  const initial = (result: object) => ({
    type: 'execute/initialResponse',
    id: 2,
    result: { status: 'ok', value: { Result: result } },
  });
  const full = { ...progress, error_text: null, result_buffered_for_ns: 0 };
  assert.deepEqual(parseHostMessage(initial(progress)), initial(full));
  assert.throws(() => parseHostMessage(initial({ cell_id: '1', content_items: [] })), /code_mode_host_duration_ns/);
});

test('an image may come without detail, an unknown item may not come at all', () => {
  const yielded = (items: object[]) => ({
    type: 'execute/initialResponse',
    id: 2,
    result: { status: 'ok', value: { Yielded: { ...progress, content_items: items } } },
  });
  const image = yielded([{ type: 'input_image', image_url: 'data:,' }]);
  assert.deepEqual(parseHostMessage(image), image);
  assert.throws(() => parseHostMessage(yielded([{ type: 'input_video' }])), /content_items\[0\]\.type/);
});

test('the wrappers of runtime responses are spelled with capitals', () => {
  assert.throws(
    () =>
      parseHostMessage({
        type: 'execute/initialResponse',
        id: 1,
        result: { status: 'ok', value: { result: progress } },
      }),
    /one of the keys `Yielded`, `Terminated`, `Result`/,
  );
});
