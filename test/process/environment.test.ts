import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostEnvironment } from '../../src/process/environment.js';
import { readAll, start } from './hosts.js';

const names = (environment: Record<string, string>): string[] => Object.keys(environment).sort();
const plain = (environment: Record<string, string>): Record<string, string> => ({ ...environment });

const posix = { PATH: '/bin', HOME: '/h', TMPDIR: '/t', LANG: 'C', TZ: 'UTC', LC_ALL: 'C', LC_TIME: 'de' };

test('by default a host gets the allow-list and nothing else', () => {
  const source = { ...posix, path: 'no', EDITOR: 'vi', NODE_OPTIONS: '--inspect', API_TOKEN: 'x', SystemRoot: 'C:' };
  assert.deepEqual(plain(hostEnvironment({ source, platform: 'linux' })), posix);
});

test('on Windows the allow-list has what programs there need, in any case', () => {
  // A literal on purpose: a longer list must be somebody's decision.
  const allowed = [
    'ALLUSERSPROFILE',
    'APPDATA',
    'COMMONPROGRAMFILES',
    'COMMONPROGRAMFILES(X86)',
    'COMMONPROGRAMW6432',
    'COMSPEC',
    'HOME',
    'HOMEDRIVE',
    'HOMEPATH',
    'LANG',
    'LC_ALL',
    'LOCALAPPDATA',
    'NUMBER_OF_PROCESSORS',
    'OS',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROGRAMW6432',
    'PUBLIC',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'TMPDIR',
    'TZ',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ];
  const all = [...allowed, 'PSMODULEPATH', 'ONEDRIVE', 'API_TOKEN', 'NODE_OPTIONS'];
  const source = Object.fromEntries(all.map((name) => [name, 'v']));
  assert.deepEqual(names(hostEnvironment({ source, platform: 'win32' })), allowed);
  const mixed = { Path: 'a', SystemRoot: 'b', ComSpec: 'c', windir: 'd', OneDrive: 'e' };
  assert.deepEqual(names(hostEnvironment({ source: mixed, platform: 'win32' })), [
    'ComSpec',
    'Path',
    'SystemRoot',
    'windir',
  ]);
});

test('on Windows an addition replaces every other spelling of its name', () => {
  const source = { Path: 'old', Extra: 'taken over' };
  const set = { PATH: 'new', EXTRA: undefined };
  const result = hostEnvironment({ source, set, platform: 'win32' });
  assert.deepEqual(plain(result), { PATH: 'new', EXTRA: 'taken over' });
});

test('an addition is set as given, or taken over from our own environment when it has no value', () => {
  const source = { ...posix, API_TOKEN: 'mine', OTHER: 'x' };
  const set = { API_TOKEN: undefined, EMPTY: '', MISSING: undefined, PATH: '/mine' };
  const result = plain(hostEnvironment({ source, set, platform: 'linux' }));
  assert.deepEqual(result, { ...posix, PATH: '/mine', API_TOKEN: 'mine', EMPTY: '' });
});

test('a name that no environment can hold is refused', () => {
  for (const name of ['', 'A=B', 'A\0B']) {
    assert.throws(() => hostEnvironment({ source: {}, set: { [name]: 'x' } }), { code: 'invalid-argument' });
  }
});

const launchContext = [
  'CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN',
  'NODE_REPL_AUTH_TOKEN',
  'OPENAI_FEDERATION_RULE_ID',
  'OPENAI_IDENTITY_TOKEN_FILE',
  'OPENAI_WORKLOAD_IDENTITY_CONTEXT',
];
const mixedCase = (text: string): string => text.replace(/./g, (c, at) => (at % 2 === 0 ? c : c.toLowerCase()));
const spellings = launchContext.flatMap((name) => [name, name.toLowerCase(), mixedCase(name)]);

test('the launch context of Codex never reaches a host, in no spelling, not even when asked for', () => {
  const source = Object.fromEntries([...spellings, 'KEPT'].map((name) => [name, 'x']));
  assert.equal(spellings.length, 15);
  for (const inherit of [false, true]) {
    for (const value of ['x', undefined]) {
      const set = Object.fromEntries([...spellings, 'KEPT'].map((name) => [name, value]));
      for (const platform of ['linux', 'win32'] as const) {
        assert.deepEqual(names(hostEnvironment({ inherit, set, source, platform })), ['KEPT']);
      }
    }
  }
});

test('a name that only begins like one of the launch context is kept', () => {
  const source = { OPENAI_FEDERATION_RULE_ID_2: 'x', MY_OPENAI_FEDERATION_RULE_ID: 'x' };
  assert.equal(names(hostEnvironment({ inherit: true, source })).length, 2);
});

test('inheriting leaves out what looks like a secret', () => {
  const secrets = [
    'API_TOKEN',
    'GITHUB_TOKEN',
    'npm_config__authToken',
    'CLIENT_SECRET',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PASS',
    'OPENAI_API_KEY',
    'openaiApiKey',
    'SSH_KEY',
    'KEY',
    'PRIVATE_KEY_FILE',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GH_PAT',
    'SESSION_COOKIE',
    'GPG_PASSPHRASE',
    'DOCKER_AUTH_CONFIG',
  ];
  const harmless = [
    'PATH',
    'PWD',
    'OLDPWD',
    'EDITOR',
    'KEYBOARD_LAYOUT',
    'MONKEY',
    'TOKENIZERS_PARALLELISM',
    'COMPASS',
  ];
  const source = Object.fromEntries([...secrets, ...harmless].map((name) => [name, 'v']));
  assert.deepEqual(names(hostEnvironment({ inherit: true, source })), harmless.sort());
});

test('inheriting leaves out an address that has a password in it', () => {
  const source = {
    HTTP_PROXY: 'http://me:pw@proxy:80',
    NO_PROXY: 'a:b@c',
    DATABASE: 'pg://:pw@h/d',
    SITE: 'http://h:1/@x',
  };
  assert.deepEqual(names(hostEnvironment({ inherit: true, source })), ['NO_PROXY', 'SITE']);
});

test('what is planted on Object.prototype reaches neither the map nor the host', async (context) => {
  const planted = Object.prototype as unknown as Record<string, unknown>;
  planted.PLANTED = 'x';
  planted.PATH = '/planted';
  planted.shell = true;
  planted.env = { PLANTED: 'y' };
  try {
    const environment = hostEnvironment({ source: { HOME: '/h' }, set: { PLAIN: '1', MISSING: undefined } });
    assert.deepEqual(Object.entries(environment), [
      ['HOME', '/h'],
      ['PLAIN', '1'],
    ]);
    assert.equal(Object.getPrototypeOf(environment), null);
    const host = await start(context, '/usr/bin/env', [], { env: environment });
    assert.equal(await readAll(host.stdout), 'HOME=/h\nPLAIN=1\n');
  } finally {
    for (const name of ['PLANTED', 'PATH', 'shell', 'env']) delete planted[name];
  }
});

test('a host sees exactly the environment it was given, and none of ours', async (context) => {
  process.env.CODEMODE_TEST_TOKEN = 'secret';
  try {
    const host = await start(context, '/usr/bin/env', [], { env: { ONLY: '() { :; }' } });
    assert.equal(await readAll(host.stdout), 'ONLY=() { :; }\n');
  } finally {
    delete process.env.CODEMODE_TEST_TOKEN;
  }
});
