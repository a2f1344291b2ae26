import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOfError, exitCodeOfOutcome, exitCodeOfSignal } from '../../src/cli/exit-code.js';
import { UsageError } from '../../src/cli/usage-error.js';
import { CodemodeError, type ErrorCode, errorCodes } from '../../src/errors.js';

// Written out and not derived: people's scripts depend on these numbers.
const expected: Readonly<Record<ErrorCode, number>> = {
  'spawn-failed': 3,
  'handshake-timeout': 3,
  'handshake-failed': 3,
  'handshake-rejected': 3,
  'version-mismatch': 3,
  'protocol-error': 3,
  'host-exited': 3,
  'host-closed': 3,
  'write-failed': 3,
  'queue-full': 3,
  'connection-closed': 3,
  'operation-failed': 1,
  'operation-timeout': 3,
  cancelled: 3,
  'session-closed': 3,
  'stale-cell': 3,
  unsupported: 3,
  'frame-too-large': 1,
  'internal-error': 1,
  'connect-failed': 3,
  'connect-timeout': 3,
  'connection-lost': 3,
  'mcp-server-failed': 3,
  'invalid-argument': 2,
};

test('every error code has its exit code', () => {
  const actual = Object.keys(errorCodes).map((code) => [
    code,
    exitCodeOfError(new CodemodeError(code as ErrorCode, '')),
  ]);
  assert.deepEqual(Object.fromEntries(actual), expected);
  assert.equal(exitCodeOfError(new UsageError('')), 2);
  assert.equal(exitCodeOfError(new Error('')), 1);
});

test('every ending of a cell has its exit code', () => {
  const ended = { cellId: '1', ms: 0 };
  const error = new CodemodeError('operation-timeout', '');
  assert.equal(exitCodeOfOutcome({ status: 'completed', ...ended }), 0);
  assert.equal(exitCodeOfOutcome({ status: 'failed', errorText: '', ...ended }), 1);
  assert.equal(exitCodeOfOutcome({ status: 'timeout', error, ...ended }), 4);
  assert.equal(exitCodeOfOutcome({ status: 'terminated', ...ended }), 4);
});

test('signals count from 128', () => {
  assert.deepEqual((['SIGHUP', 'SIGINT', 'SIGTERM'] as const).map(exitCodeOfSignal), [129, 130, 143]);
});
