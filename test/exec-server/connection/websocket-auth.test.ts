import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tokenDigest } from '../../../src/exec-server/connection/bearer-auth.js';
import {
  authFromSecretFile,
  authFromTokenDigest,
  authFromTokenFile,
  type WebSocketAuth,
} from '../../../src/exec-server/connection/index.js';
import { ask, startFront, upgradeHeaders } from './websocket-peer.js';

const token = 'secret-token-1234567890';
const secret = 'k'.repeat(64);

async function temporaryFile(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ws-auth-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'secret'), text);
  return join(folder, 'secret');
}

/** What each of these headers gets: `101`, or the body of a 401. */
async function answersTo(t: TestContext, auth: WebSocketAuth, headers: readonly (string | undefined)[], path = '/') {
  const { listener } = await startFront(t, {}, { auth });
  const answers: unknown[] = [];
  for (const authorization of headers) {
    const answer = await ask(listener, path, {
      ...upgradeHeaders,
      ...(authorization === undefined ? {} : { authorization }),
    });
    assert.equal(answer.headers['www-authenticate'], undefined);
    answers.push(answer.status === 401 ? answer.body : answer.status);
  }
  assert.equal((await ask(listener, '/readyz')).status, 200);
  return answers;
}

const tokenHeaders = [
  undefined,
  `Bearer ${token}`,
  `bearer ${token}`,
  `BEARER   ${token} `,
  'Bearer wrong',
  token,
  `Basic ${token}`,
  'Bearer ',
];
const tokenAnswers = [
  'missing websocket bearer token',
  101,
  101,
  101,
  'invalid websocket bearer token',
  'invalid authorization header',
  'invalid authorization header',
  'invalid authorization header',
];

test('a bearer token from a file opens the door, and nothing else does', async (t) => {
  assert.deepEqual(
    await answersTo(t, await authFromTokenFile(await temporaryFile(t, `${token}\n`)), tokenHeaders),
    tokenAnswers,
  );
});

test('a bearer token known by its digest opens the door as well', async (t) => {
  const auth = authFromTokenDigest(tokenDigest(token).toString('hex').toUpperCase());
  assert.deepEqual(await answersTo(t, auth, tokenHeaders), tokenAnswers);
});

test('a token in the query is not looked at', async (t) => {
  const auth = authFromTokenDigest(tokenDigest(token).toString('hex'));
  assert.deepEqual(await answersTo(t, auth, [undefined], `/?token=${token}`), ['missing websocket bearer token']);
});

test('secrets that cannot be used are refused when the server starts', async (t) => {
  for (const digest of ['zz', 'abcd', `${'a'.repeat(63)}g`]) {
    assert.throws(() => authFromTokenDigest(digest), {
      message: '--ws-token-sha256 must be a 64-character hex SHA-256 digest',
    });
  }
  const missing = join(tmpdir(), 'no-such-folder', 'token');
  await assert.rejects(authFromTokenFile(missing), {
    code: 'invalid-argument',
    message: `failed to read websocket auth secret ${missing}: no such file`,
  });
  const empty = await temporaryFile(t, ' \n');
  await assert.rejects(authFromTokenFile(empty), { message: `websocket auth secret ${empty} must not be empty` });
  const short = await temporaryFile(t, 'abc');
  await assert.rejects(authFromSecretFile(short), {
    message: `signed websocket bearer secret ${short} must be at least 32 bytes`,
  });
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt(claims: object, { alg = 'HS256', key = secret }: { alg?: string; key?: string } = {}): string {
  const text = `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}`;
  const hash = alg === 'HS512' ? 'sha512' : 'sha256';
  return `Bearer ${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
}

const now = Math.floor(Date.now() / 1_000);

test('a signed token is checked for algorithm, signature and time', async (t) => {
  const auth = await authFromSecretFile(await temporaryFile(t, `${secret}\n`));
  const cases: readonly (readonly [header: string | undefined, answer: unknown])[] = [
    [undefined, 'missing websocket bearer token'],
    [jwt({ exp: now + 60 }), 101],
    [jwt({}), 'invalid websocket jwt'],
    [jwt({ exp: 'soon' }), 'invalid websocket jwt'],
    [jwt({ exp: now - 20 }), 101],
    [jwt({ exp: now - 120 }), 'expired websocket jwt'],
    [jwt({ exp: now + 600, nbf: now + 300 }), 'websocket jwt is not valid yet'],
    [jwt({ exp: now + 600, nbf: now + 20 }), 101],
    [jwt({ exp: now + 60 }, { key: 'x'.repeat(64) }), 'invalid websocket jwt'],
    [jwt({ exp: now + 60 }, { alg: 'HS512' }), 'invalid websocket jwt'],
    [`Bearer ${encoded({ alg: 'none' })}.${encoded({ exp: now + 60 })}.`, 'invalid websocket jwt'],
    [`${jwt({ exp: now + 60 })}x`, 'invalid websocket jwt'],
    ['Bearer nonsense', 'invalid websocket jwt'],
  ];
  assert.deepEqual(
    await answersTo(
      t,
      auth,
      cases.map(([header]) => header),
    ),
    cases.map(([, answer]) => answer),
  );
});

test('issuer and audience are checked where they are asked for, and the skew can be set', async (t) => {
  const file = await temporaryFile(t, secret);
  const headers = [
    jwt({ exp: now + 60, iss: 'I', aud: 'A' }),
    jwt({ exp: now + 60, iss: 'I', aud: ['Z', 'A'] }),
    jwt({ exp: now + 60, iss: 'X', aud: 'A' }),
    jwt({ exp: now + 60, iss: 'I' }),
    jwt({ exp: now - 20, iss: 'I', aud: 'A' }),
  ];
  const auth = await authFromSecretFile(file, { issuer: 'I', audience: 'A', maxClockSkewSeconds: 1 });
  assert.deepEqual(await answersTo(t, auth, headers), [
    101,
    101,
    'websocket jwt issuer mismatch',
    'websocket jwt audience mismatch',
    'expired websocket jwt',
  ]);
});
