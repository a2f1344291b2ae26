import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExecServer, type ExecServerOptions } from '../../../src/exec-server/server/index.js';

const right = { environment: { PATH: '/bin', GONE: undefined }, version: '1' };
const made = (options: unknown): ExecServer => new ExecServer(options as ExecServerOptions);

test('a server is not made of options that are missing, misspelt or of another kind', () => {
  const wrong: readonly (readonly [unknown, string | RegExp])[] = [
    [undefined, 'the options of ExecServer must be an object, got nothing'],
    [{}, 'ExecServer: environment must be an object of strings, such as process.env, got nothing'],
    [{ ...right, environment: { A: 1 } }, /^ExecServer: environment must be/],
    [{ ...right, environment: ['A=1'] }, /^ExecServer: environment must be/],
    [{ environment: {} }, 'ExecServer: version must be a string, got nothing'],
    [
      { ...right, authtoken: 'x' },
      /^ExecServer: the option authtoken is not known; did you mean authToken\? known are/,
    ],
    [{ ...right, token: 'x' }, /did you mean authToken\?/],
    [{ ...right, authToken: '' }, 'ExecServer: authToken must be a string that is not empty, got a string'],
    [{ ...right, authToken: 1 }, /^ExecServer: authToken must be/],
    [{ ...right, acceptNativePaths: 'no' }, /^ExecServer: acceptNativePaths must be true or false/],
    [{ ...right, detachedTtlMs: -1 }, 'ExecServer: detachedTtlMs must be a number of ms, or 0, got -1'],
    [{ ...right, detachedTtlMs: Number.NaN }, /^ExecServer: detachedTtlMs must be/],
    [{ ...right, concurrentRequests: 0 }, 'ExecServer: concurrentRequests must be a whole number of at least 1, got 0'],
    [{ ...right, concurrentRequests: 1.5 }, /^ExecServer: concurrentRequests must be/],
    [{ ...right, markProcesses: 'yes' }, /^ExecServer: markProcesses must be true or false/],
  ];
  for (const [options, message] of wrong) {
    assert.throws(() => made(options), { name: 'CodemodeError', code: 'invalid-argument', message });
  }
});

test('what may be left out may be undefined too', () => {
  const rest = {
    authToken: undefined,
    acceptNativePaths: undefined,
    detachedTtlMs: Number.POSITIVE_INFINITY,
    concurrentRequests: undefined,
    markProcesses: false,
  };
  for (const options of [right, { ...right, ...rest }]) made(options).close();
});
