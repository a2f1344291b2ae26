import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, lastEvent, runCli } from '../support/cli.js';
import { completes, type Failure, fails } from '../support/fixture-run.js';

// Hosts that do not come up. Each run is also looked at for processes that are left (support/cli.ts).

const hello = 'failed to read code-mode host hello: ';
const exited = 'code-mode host exited during handshake: ';
/** The host's real hello may be behind it already. */
const text = (shown: string): RegExp =>
  new RegExp(`^${hello}expected a hello frame, got text "${shown}.*…" \\(log to stderr, not stdout\\)$`);
const rejected = (reason: string): string => `code-mode host rejected the handshake: ${reason}`;
const invalid = 'code-mode host returned an invalid handshake response: ';

const cases: readonly (readonly [title: string, fixture: string, Failure])[] = [
  [
    'a banner on stdout is shown as the text it is',
    'prints-banner',
    { code: 'protocol-error', message: text('my-host v1 ready') },
  ],
  [
    'line ends on stdout are shown, though as a length they are possible',
    'prints-blank-lines',
    { code: 'protocol-error', message: text(String.raw`\\n\\n\\n\\n`) },
  ],
  [
    'colours on stdout reach no terminal',
    'prints-colour',
    { code: 'protocol-error', message: text(String.raw`\\u001b\[32mready\\u001b\[0m`) },
  ],
  [
    'a wrapper that speaks is named, and the host behind it ends too',
    'wrapper-speaks',
    { code: 'protocol-error', message: text('starting') },
  ],
  [
    'a host that exits at once is reported, also with code 0',
    'exits-zero-at-once',
    { code: 'handshake-failed', message: `${exited}exit status: 0 after N ms` },
  ],
  [
    'the last lines of stderr say why a host did not start',
    'exits-seven-with-stderr',
    {
      code: 'handshake-failed',
      message: `${exited}exit status: 7 after N ms; stderr: cannot open the database | no such file: cells.db | giving up`,
    },
  ],
  [
    'a host that is killed at its start is reported with the signal',
    'killed-at-start',
    { code: 'handshake-failed', message: `${exited}signal: 9 (SIGKILL) after N ms` },
  ],
  [
    'a host that aborts is reported with the signal and its last words',
    'aborts-at-start',
    { code: 'handshake-failed', message: `${exited}signal: 6 (SIGABRT) after N ms; stderr: fatal: heap is corrupt` },
  ],
  [
    'an exit with 137 is not taken for a SIGKILL',
    'exits-137-at-start',
    { code: 'handshake-failed', message: `${exited}exit status: 137 after N ms` },
  ],
  [
    'a child that holds the pipes does not delay the news of an exit',
    'grandchild-outlives-the-start',
    { code: 'handshake-failed', message: `${exited}exit status: 7 after N ms` },
  ],
  [
    'a host that closes its stdout and lives is given up',
    'closes-stdout-and-lives',
    { code: 'handshake-failed', message: `${exited}it closed its stdout and runs on, after N ms` },
  ],
  [
    'half a length is not a hello',
    'half-header-then-exit',
    {
      code: 'protocol-error',
      message: `${hello}early eof: stream ended inside a frame header, 2 of 4 bytes; exit status: 0`,
    },
  ],
  [
    'half a hello is not a hello',
    'half-body-then-exit',
    {
      code: 'protocol-error',
      message: `${hello}early eof: stream ended inside a frame body, 9 of 100 bytes; exit status: 3`,
    },
  ],
  [
    'a hello of no bytes is refused',
    'empty-hello',
    { code: 'protocol-error', message: /^failed to read code-mode host hello: failed to decode code-mode IPC frame: / },
  ],
  [
    'a hello above 64 KiB is refused when its length is read',
    'huge-hello',
    { code: 'protocol-error', message: `${hello}code-mode IPC frame length 65537 exceeds 65536 bytes` },
  ],
  [
    'a capability that is granted twice is refused',
    'grants-twice',
    { code: 'protocol-error', message: /^failed to read code-mode host hello: .*duplicate capability `a`/ },
  ],
  [
    'a rejected version is reported with those the host knows',
    'rejects-version',
    { code: 'handshake-rejected', message: rejected('{"type":"noCompatibleVersion","supportedVersions":[2,9]}') },
  ],
  [
    'a capability that the host demands is named',
    'rejects-capability',
    {
      code: 'handshake-rejected',
      message: rejected('{"type":"missingRequiredCapability","capability":"time-travel-v1"}'),
    },
  ],
  [
    'a rejected hello is reported in the words of the host',
    'rejects-hello',
    { code: 'handshake-rejected', message: rejected('{"type":"invalidHello","message":"bad \\"hello\\""}') },
  ],
  [
    'a version that was not offered is a mismatch, and both are named',
    'selects-version-two',
    {
      code: 'version-mismatch',
      message: `${invalid}{"type":"connection/ready","selectedVersion":2,"capabilities":[]} (the host speaks version 2, this client version 1)`,
    },
  ],
  [
    'another message than a hello is refused, and shown',
    'answers-hello-with-response',
    {
      code: 'protocol-error',
      message: `${invalid}{"type":"operation/response","id":1,"result":{"status":"ok","value":{"type":"session/ready","sessionId":"x"}}}`,
    },
  ],
];

for (const [title, name, expected] of cases) {
  test(title, async (t) => {
    await fails(t, name, expected);
  });
}

const late =
  'timed out negotiating with the code-mode host: no answer after N ms, 0 bytes on stdout, still running (limit: 500 ms)';

for (const name of ['silent', 'ignores-sigterm', 'stops-itself']) {
  test(`a host that never says hello ends at the limit, and is gone: ${name}`, async (t) => {
    const args = ['--handshake-timeout', '500'];
    const { json } = await fails(t, name, { args, code: 'handshake-timeout', message: late });
    const { data } = lastEvent(json.stdout) as unknown as { data: { limitMs: number; elapsedMs: number } };
    assert.equal(data.limitMs, 500);
    assert.ok(data.elapsedMs >= 500, `${data.elapsedMs} ms`);
  });
}

test('the number of bytes that came before a failure is told', async (t) => {
  const { stdout } = await runCli(t, ['--json', '--host', fixture('half-body-then-exit'), '-e', '1']);
  assert.equal((lastEvent(stdout).data as { stdoutBytes?: unknown }).stdoutBytes, 13);
});

test('a host that needs a second for its hello is waited for', async (t) => {
  await completes(t, 'greets-late');
});

for (const name of ['floods-stderr', 'floods-stderr-without-newline', 'invalid-utf8-on-stderr']) {
  test(`whatever a host writes to stderr, its hello arrives: ${name}`, async (t) => {
    await completes(t, name);
  });
}

test('stderr of a host is shown on demand, lossy where it is no text', async (t) => {
  const { stderr, code } = await runCli(t, ['--verbose', '--host', fixture('invalid-utf8-on-stderr'), '-e', '1']);
  assert.ok(stderr.split('\n').includes('[host] oh\ufffd\ufffd\ufffd'), stderr);
  assert.equal(code, 0);
});

test('a host that exits within a millisecond is never waited for until the limit', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const { stdout } = await runCli(t, ['--json', '--host', '/bin/false', '-e', '1']);
    const last = lastEvent(stdout);
    assert.equal(last.code, 'handshake-failed');
    assert.match(String(last.message), /^code-mode host exited during handshake: exit status: 1 after \d+ ms$/);
  }
});

test('of a crash report of Node the line that says what is wrong is shown', async (t) => {
  const { code, stderr } = await runCli(t, ['--env', 'NODE_OPTIONS=--require=/nope', '-e', 'text(1)']);
  assert.equal(code, 3);
  assert.match(stderr, /^ {2}Error: Cannot find module '\/nope'$/m);
});
