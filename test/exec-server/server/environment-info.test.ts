import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEnvironment } from '../../../src/exec-server/server/environment-info.js';

const windows = process.platform === 'win32' ? { skip: 'has shells of its own' } : {};

test('the shell is that of the user, or of the environment, unless that runs nothing', windows, () => {
  const cases: readonly (readonly [ofUser: string | null, variable: string | undefined, shell: string])[] = [
    ['/bin/zsh', '/bin/bash', '/bin/zsh'],
    ['/usr/sbin/nologin', '/bin/bash', '/bin/bash'],
    ['/usr/sbin/nologin', '/usr/sbin/nologin', '/bin/sh'],
    ['/bin/false', '', '/bin/sh'],
    ['', '/bin/false', '/bin/sh'],
    [null, '/bin/bash', '/bin/bash'],
    [null, '/sbin/nologin', '/bin/sh'],
    [null, undefined, '/bin/sh'],
  ];
  for (const [ofUser, variable, path] of cases) {
    const { shell } = describeEnvironment({ SHELL: variable }, '1', ofUser);
    assert.deepEqual(shell, { name: path.split('/').at(-1), path }, `${ofUser}, ${variable}`);
  }
});
