import { test } from 'node:test';
import { fails } from '../support/fixture-run.js';
import { echoTool } from './tool-files.js';

// Hosts that break the protocol: the connection ends with these words.

const violations: readonly (readonly [title: string, fixture: string, message: string])[] = [
  ['an answer to nothing', 'unknown-response-id', 'code-mode host returned unknown request ID RequestId(4242)'],
  ['a second answer', 'answers-twice', 'code-mode host returned unknown request ID RequestId(1)'],
  ['another session', 'opens-wrong-session', 'code-mode host returned an invalid open-session response'],
  ['a wrong answer to an open', 'wrong-answer-to-open', 'code-mode host returned an invalid open-session response'],
  ['a wrong answer to an execute', 'wrong-answer-to-execute', 'code-mode host returned an invalid execute response'],
  ['a wrong answer to a wait', 'wrong-answer-to-wait', 'code-mode host returned an invalid cell response'],
  ['another cell in a wait', 'wrong-cell-in-wait', 'code-mode host returned cell other for request targeting 1'],
  [
    'a result before the start',
    'initial-before-started',
    'code-mode host returned initial response for unknown request ID RequestId(2)',
  ],
  [
    'a second first result',
    'initial-twice',
    'code-mode host returned initial response for unknown request ID RequestId(2)',
  ],
  [
    'a first result for nothing',
    'initial-for-unknown-id',
    'code-mode host returned initial response for unknown request ID RequestId(777)',
  ],
  [
    'a first result of another cell',
    'wrong-cell-in-initial',
    'code-mode host returned initial response for cell zzz instead of 1',
  ],
  ['the end of an unknown cell', 'closes-unknown-cell', 'code-mode host closed unknown cell in session session-1'],
  [
    'the end of a cell in an unknown session',
    'closes-unknown-session',
    'code-mode host closed cell 1 in unknown session nosuch',
  ],
  ['a second end of a cell', 'closes-twice', 'code-mode host closed unknown cell in session session-1'],
  ['a second answer to the hello', 'second-hello-answer', 'code-mode host sent a second handshake response'],
  ['a rejection after the hello', 'rejects-after-ready', 'code-mode host sent a second handshake response'],
];

for (const [title, name, message] of violations) {
  test(`the connection ends with ${title}`, async (t) => {
    await fails(t, name, { code: 'protocol-error', message });
  });
}

test('the connection ends with a second tool call of the same id', async (t) => {
  const message = 'duplicate code-mode delegate request ID DelegateRequestId(1)';
  await fails(t, 'duplicate-delegate-id', { code: 'protocol-error', message, args: ['--tools', echoTool] });
});
