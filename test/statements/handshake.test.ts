import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { failure } from '../connection/fake-host.js';
import { silent, supervise } from '../supervisor/hosts.js';
import { fixture, temporaryFile, temporaryFolder } from '../support/cli.js';
import { eventually } from '../support/processes.js';

// Statements 53 and 57 to 67: hosts that do not come up, and those that do the second time.

/** Becomes the first program on its first start, and the second from then on. */
const onceThenAlways = 'mkdir "$0" 2>/dev/null && exec "$1"; exec "$2"';

const read = 'failed to read code-mode host hello: ';
const rows: readonly (readonly [title: string, fixture: string, text: RegExp])[] = [
  ['57: exits with 0', 'exits-zero-at-once', /^code-mode host exited during handshake: exit status: 0 after \d+ ms$/],
  ['57: exits with 7', 'exits-seven-with-stderr', /^code-mode host exited during handshake: exit status: 7 after /],
  ['57: is killed', 'killed-at-start', /^code-mode host exited during handshake: signal: 9 \(SIGKILL\) after \d+ ms$/],
  ['57: closes its stdout', 'closes-stdout-and-lives', /^code-mode host exited during handshake: it closed its stdout/],
  [
    '58: says half a header',
    'half-header-then-exit',
    new RegExp(`^${read}early eof: .* 2 of 4 bytes; exit status: 0$`),
  ],
  ['58: says half a hello', 'half-body-then-exit', new RegExp(`^${read}early eof: .* 9 of 100 bytes; exit status: 3$`)],
  ['59: prints a banner', 'prints-banner', new RegExp(`^${read}expected a hello frame, got text "my-host v1 ready`)],
  ['60: selects version 2', 'selects-version-two', /^code-mode host returned an invalid handshake response: \{"type":/],
  ['61: knows no version of ours', 'rejects-version', /^code-mode host rejected the handshake: .*noCompatibleVersion/],
  ['61: misses a capability', 'rejects-capability', /^code-mode host rejected .*"missingRequiredCapability"/],
  ['61: finds the hello invalid', 'rejects-hello', /^code-mode host rejected the handshake: .*"message":"bad \\"hello/],
  [
    '62: says something else',
    'answers-hello-with-response',
    /^code-mode host returned an invalid handshake response: /,
  ],
  ['63: grants a capability twice', 'grants-twice', new RegExp(`^${read}.*duplicate capability \`a\``)],
  ['65: is silent', 'silent', /^timed out negotiating with the code-mode host: no answer after \d+ ms/],
  ['66: ignores SIGTERM', 'ignores-sigterm', /^timed out negotiating with the code-mode host: no answer after \d+ ms/],
];

for (const [title, name, text] of rows) {
  test(`one failure for all who wait, the host is gone by then, and the next open gets another one: ${title}`, async (t) => {
    // Short where it is waited for, and long for the host that comes second on a busy machine.
    const handshakeTimeoutMs = text.source.startsWith('^timed out') ? 3_000 : 15_000;
    const mark = join(await temporaryFolder(t), 'tried');
    const args = ['-c', onceThenAlways, mark, fixture(name), fixture('behaves')];
    const { host, pids } = supervise(t, { program: '/bin/sh', args, handshakeTimeoutMs });
    const waiting = [1, 2, 3].map(() => failure(host.openSession({ delegate: silent })));
    waiting.push(failure(host.connect()));
    const error = await waiting[0]!;
    assert.throws(() => process.kill(pids()[0]!, 0), { code: 'ESRCH' });
    assert.match(error.message, text);
    const errors = await Promise.all(waiting);
    for (const other of errors) assert.deepEqual([other.message, other.code], [error.message, error.code]);
    assert.deepEqual([new Set(errors).size, pids().length], [4, 1]);
    const session = await host.openSession({ delegate: silent });
    assert.equal((await (await session.execute({ source: '' })).initial).kind, 'result');
    assert.equal(pids().length, 2);
  });
}

const notFound = 'No such file or directory (os error 2)';
const denied = 'Permission denied (os error 13)';

test('whatever cannot be started is one rejection for each caller, and nothing is thrown at them', async (t) => {
  const script = '#!/bin/sh\n';
  const causes: readonly (readonly [program: string, reason: string])[] = [
    ['/no/such/host', notFound],
    [await temporaryFolder(t), denied],
    [await temporaryFile(t, 'host', script), denied],
    [await temporaryFile(t, 'host', 'neither\n', 0o755), 'Exec format error (os error 8)'],
    [`/tmp/${'a'.repeat(300)}`, 'File name too long (os error 36)'],
    ['/bin/a\0b', 'nul byte found in provided data'],
    ['', notFound],
  ];
  for (const [program, reason] of causes) {
    const { host, pids, events } = supervise(t, { program });
    const waiting = [1, 2, 3].map(() => host.openSession({ delegate: silent }));
    const errors = await Promise.all(waiting.map((opening) => failure(opening)));
    for (const { message, code } of errors) {
      assert.deepEqual([message, code], [`failed to spawn code-mode host ${program}: ${reason}`, 'spawn-failed']);
    }
    assert.deepEqual([pids(), events], [[], []]);
  }
});

test('ten that need a missing host at once share one attempt; the eleventh makes its own', async (t) => {
  const { host } = supervise(t, { program: '/no/such/host' });
  const open = () => failure(host.openSession({ delegate: silent }));
  const errors = await Promise.all(Array.from({ length: 10 }, open));
  const later = await open();
  // An attempt leaves one error of the system, which all of its failures name as their cause.
  const causes = errors.map(({ cause }) => cause);
  assert.ok(causes[0] instanceof Error);
  assert.deepEqual([new Set(errors).size, new Set(causes).size], [10, 1]);
  assert.deepEqual([new Set(errors.map(({ message }) => message)).size, later.message], [1, errors[0]!.message]);
  assert.ok(!causes.includes(later.cause));
});

test('a host gets no argument of ours, our working directory, and a group of its own', async (t) => {
  const { host, pids, events } = supervise(t, { program: fixture('prints-arguments') });
  await host.connect();
  const [pid] = pids();
  const { readFileSync, readlinkSync } = await import('node:fs');
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  assert.deepEqual([Number(group), readlinkSync(`/proc/${pid}/cwd`)], [pid, process.cwd()]);
  await eventually(() => events.some((event) => event.type === 'stderr' && event.line === 'arguments: []'));
});
