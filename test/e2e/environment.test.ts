import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, runCli } from '../support/cli.js';
import { MARK } from '../support/marked-processes.js';

// What a host sees of our environment. The lists are literals: they are promises.

const secrets = {
  API_TOKEN: 'value-1f0c',
  OPENAI_API_KEY: 'value-1f0c',
  GITHUB_PAT: 'value-1f0c',
  DB_PASSWORD: 'value-1f0c',
  AWS_SECRET_ACCESS_KEY: 'value-1f0c',
  DATABASE_URL: 'postgres://me:value-1f0c@db/x',
};
const launchContext = {
  CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN: 'value-1f0c',
  NODE_REPL_AUTH_TOKEN: 'value-1f0c',
  OPENAI_FEDERATION_RULE_ID: 'value-1f0c',
  OPENAI_IDENTITY_TOKEN_FILE: 'value-1f0c',
  OPENAI_WORKLOAD_IDENTITY_CONTEXT: 'value-1f0c',
};
const harmless = { LANG: 'C.UTF-8', TZ: 'UTC', FOO: 'bar', NODE_EXTRA_CA_CERTS: '/nowhere', NODE_OPTIONS: '' };
const env = { ...secrets, ...launchContext, ...harmless };

async function namesSeen(t: Parameters<typeof runCli>[0], args: readonly string[]): Promise<string[]> {
  const line = ['--verbose', '--host', fixture('prints-environment'), ...args, '-e', '1'];
  const { code, stdout, stderr } = await runCli(t, line, { env });
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout + stderr, /value-1f0c/);
  const names = /^\[host\] environment: (.*)$/m.exec(stderr)?.[1]?.split(' ') ?? [];
  return names.filter((name) => name !== MARK);
}

test('a host sees five names and LC_* of our environment, and nothing else', async (t) => {
  assert.deepEqual(await namesSeen(t, []), ['HOME', 'LANG', 'PATH', 'TZ']);
});

test('--env adds, with a value or with ours', async (t) => {
  const names = await namesSeen(t, ['--env', 'FOO', '--env', 'BAR=', '--env', 'API_TOKEN', '--env', 'NOT_SET_HERE']);
  assert.deepEqual(names, ['API_TOKEN', 'BAR', 'FOO', 'HOME', 'LANG', 'PATH', 'TZ']);
});

test('--env cannot bring the launch context of Codex back, in whatever case', async (t) => {
  const names = Object.keys(launchContext).flatMap((name) => ['--env', name, '--env', `${name.toLowerCase()}=x`]);
  assert.deepEqual(await namesSeen(t, names), ['HOME', 'LANG', 'PATH', 'TZ']);
});

test('--inherit-env passes on what does not look like a secret', async (t) => {
  const names = await namesSeen(t, ['--inherit-env']);
  assert.deepEqual(
    Object.keys(env).filter((name) => names.includes(name)),
    ['LANG', 'TZ', 'FOO', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'],
  );
});

test('--env and --inherit-env together pass a secret that was asked for', async (t) => {
  const names = await namesSeen(t, ['--inherit-env', '--env', 'OPENAI_API_KEY']);
  assert.ok(names.includes('OPENAI_API_KEY') && !names.includes('API_TOKEN'), names.join(' '));
});
