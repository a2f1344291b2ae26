import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilities } from '../../src/protocol/capability.js';
import { answerHello, clientHello } from '../../src/protocol/hello.js';

const hello = (more: object) => ({ ...clientHello([]), ...more });

test('our hello offers every capability once, sorted, and requires none', () => {
  assert.deepEqual(clientHello(), {
    type: 'connection/hello',
    supportedVersions: [1],
    requiredCapabilities: [],
    optionalCapabilities: [
      'bounded-output-v1',
      'delegate-capacity-4096',
      'msgpack-frames-v1',
      'session-cell-execution-resource-limits',
      'tool-catalog-revision-v1',
      'yield-observation',
    ],
  });
});

test('version 1 is selected wherever it stands in the list', () => {
  const answer = answerHello(hello({ supportedVersions: [9, 1, 3] }));
  assert.deepEqual(answer, { type: 'connection/ready', selectedVersion: 1, capabilities: [] });
});

test('known capabilities come back sorted, whether required or optional; unknown optional ones do not', () => {
  const answer = answerHello(
    hello({
      requiredCapabilities: ['yield-observation'],
      optionalCapabilities: ['x', ' bounded-output-v1', ...capabilities.filter((name) => name !== 'yield-observation')],
    }),
  );
  assert.deepEqual(answer, { type: 'connection/ready', selectedVersion: 1, capabilities: [...capabilities] });
});

test('another first message is rejected', () => {
  const reason = { type: 'invalidHello', message: 'first message must be connection/hello' };
  assert.deepEqual(answerHello({ type: 'operation/cancel', id: 1 }), { type: 'connection/rejected', reason });
});

test('the version is checked before the capabilities', () => {
  const reason = { type: 'noCompatibleVersion', supportedVersions: [1] };
  const answer = answerHello(hello({ supportedVersions: [2], requiredCapabilities: ['zz'] }));
  assert.deepEqual(answer, { type: 'connection/rejected', reason });
});

test('the first missing capability in byte order is named: U+FFFD sorts before an emoji', () => {
  const missing = (names: string[]) => {
    const answer = answerHello(hello({ requiredCapabilities: names }));
    return answer.type === 'connection/rejected' && answer.reason.type === 'missingRequiredCapability'
      ? answer.reason.capability
      : undefined;
  };
  assert.equal(missing(['zz', 'aaa', 'yield-observation']), 'aaa');
  assert.equal(missing(['😀', '\ufffd']), '\ufffd');
});
