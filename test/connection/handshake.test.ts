import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { connect } from '../../src/connection/connect.js';
import { CodemodeError } from '../../src/errors.js';
import type { HostMessage } from '../../src/protocol/index.js';
import { FakeHost, failure, join, turns } from './fake-host.js';

const begin = (host: FakeHost, handshakeTimeoutMs = 30_000, signal?: AbortSignal) =>
  connect({ source: host.stdout, sink: host.stdin, ended: host.ended, offer: ['b', 'a'], handshakeTimeoutMs, signal });

/** The failure of a handshake with a host that does `act`. */
async function refusal(act: (host: FakeHost) => void): Promise<CodemodeError> {
  const host = new FakeHost();
  const connecting = begin(host);
  act(host);
  return failure(connecting);
}

const ready: HostMessage = { type: 'connection/ready', selectedVersion: 1, capabilities: ['unasked'] };

test('the hello offers version 1 and optional capabilities, and an unasked grant is accepted', async () => {
  const host = new FakeHost();
  const connecting = begin(host);
  assert.deepEqual(await host.next('connection/hello'), {
    type: 'connection/hello',
    supportedVersions: [1],
    requiredCapabilities: [],
    optionalCapabilities: ['a', 'b'],
  });
  host.send(ready);
  const { connection, version } = await connecting;
  assert.equal(version, 1);
  assert.deepEqual(connection.capabilities, ['unasked']);
  assert.equal(connection.codec, 'json');
  connection.close();
});

test('an exit during the handshake is one failure with the status, whether stdout ends or not', async () => {
  for (const endStdout of [true, false]) {
    const error = await refusal((host) => {
      if (endStdout) host.stdout.end();
      host.exit('exit status: 7');
    });
    assert.equal(error.code, 'handshake-failed');
    assert.equal(error.message, 'code-mode host exited during handshake');
    assert.deepEqual(error.data, { exit: 'exit status: 7', stdoutBytes: 0 });
  }
});

test('a host that closes its stdout and lives on fails the handshake', async () => {
  const error = await refusal((host) => host.stdout.end());
  assert.equal(error.code, 'handshake-failed');
  assert.equal(error.message, 'code-mode host exited during handshake');
  assert.deepEqual(error.data, { stdoutBytes: 0 });
});

test('an answer that was written before the exit still counts', async () => {
  const host = new FakeHost();
  const connecting = begin(host);
  host.exit('exit status: 1');
  host.send(ready);
  host.stdout.end();
  const { connection } = await connecting;
  connection.close();
});

test('half an answer and then the end is an early eof, with the status added', async () => {
  const error = await refusal((host) => {
    host.stdout.end(Buffer.from([9, 0]));
    host.exit('exit status: 0');
  });
  assert.equal(error.code, 'protocol-error');
  assert.equal(
    error.message,
    'failed to read code-mode host hello: early eof: stream ended inside a frame header, 2 of 4 bytes; exit status: 0',
  );
});

test('a banner on stdout is called a banner', async () => {
  const error = await refusal((host) => host.stdout.write('my-host v1 ready\n'));
  assert.equal(error.code, 'protocol-error');
  assert.equal(
    error.message,
    'failed to read code-mode host hello: expected a hello frame, got text "my-host v1 ready\\n…" (log to stderr, not stdout)',
  );
});

test('a hello longer than 64 KiB is refused by its header', async () => {
  const error = await refusal((host) => host.stdout.write(Buffer.from([1, 0, 1, 0])));
  assert.equal(
    error.message,
    'failed to read code-mode host hello: code-mode IPC frame length 65537 exceeds 65536 bytes',
  );
});

const answers: [string, object, string, string][] = [
  [
    'another version',
    { type: 'connection/ready', selectedVersion: 2, capabilities: [] },
    'version-mismatch',
    'code-mode host returned an invalid handshake response: {"type":"connection/ready","selectedVersion":2,"capabilities":[]} (the host speaks version 2, this client version 1)',
  ],
  [
    'no common version',
    { type: 'connection/rejected', reason: { type: 'noCompatibleVersion', supportedVersions: [9] } },
    'handshake-rejected',
    'code-mode host rejected the handshake: {"type":"noCompatibleVersion","supportedVersions":[9]}',
  ],
  [
    'a missing capability',
    { type: 'connection/rejected', reason: { type: 'missingRequiredCapability', capability: 'cap-x' } },
    'handshake-rejected',
    'code-mode host rejected the handshake: {"type":"missingRequiredCapability","capability":"cap-x"}',
  ],
  [
    'an invalid hello',
    { type: 'connection/rejected', reason: { type: 'invalidHello', message: 'bad "hello"' } },
    'handshake-rejected',
    'code-mode host rejected the handshake: {"type":"invalidHello","message":"bad \\"hello\\""}',
  ],
  [
    'a message that is no answer to a hello',
    { type: 'delegate/cancel', id: 1 },
    'protocol-error',
    'code-mode host returned an invalid handshake response: {"type":"delegate/cancel","id":1}',
  ],
  [
    'a capability twice',
    { type: 'connection/ready', selectedVersion: 1, capabilities: ['a', 'a'] },
    'protocol-error',
    'failed to read code-mode host hello: invalid value at `capabilities`: expected no duplicate capability `a`, got array',
  ],
];

for (const [name, message, code, text] of answers) {
  test(`${name} fails the handshake with an exact text`, async () => {
    const error = await refusal((host) => host.stdout.write(host.bytes(message)));
    assert.equal(error.message, text);
    assert.equal(error.code, code);
  });
}

test('a rejection that is very long is shown in 512 bytes', async () => {
  const reason = { type: 'invalidHello', message: 'é'.repeat(2000) } as const;
  const error = await refusal((host) => host.send({ type: 'connection/rejected', reason }));
  const shown = error.message.slice('code-mode host rejected the handshake: '.length);
  assert.ok(Buffer.byteLength(shown) <= 512, String(Buffer.byteLength(shown)));
  assert.ok(shown.endsWith('é…'));
});

test('silence is one failure after exactly the limit, and leaves no timer', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const host = new FakeHost();
  const connecting = failure(begin(host));
  let failed = false;
  void connecting.then(() => {
    failed = true;
  });
  mock.timers.tick(29_999);
  await turns();
  assert.equal(failed, false);
  mock.timers.tick(1);
  const error = await connecting;
  assert.equal(error.code, 'handshake-timeout');
  assert.equal(error.message, 'timed out negotiating with the code-mode host');
  assert.deepEqual(error.data, { limitMs: 30_000, stdoutBytes: 0 });
});

test('a limit beyond what timers can count does not fire at once', async () => {
  const host = new FakeHost();
  const connecting = begin(host, 2 ** 31);
  await turns();
  host.send(ready);
  (await connecting).connection.close();
});

/** A host that has closed its stdin. */
function deaf(): FakeHost {
  const host = new FakeHost();
  host.stdin._write = (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  return host;
}

test('a hello that cannot be written is reported when the host lives on', async () => {
  const error = await failure(begin(deaf()));
  assert.equal(error.code, 'write-failed');
  assert.equal(error.message, 'failed to write code-mode host hello: Broken pipe (os error 32)');
});

test('an exit explains a hello that could not be written', async () => {
  const host = deaf();
  const connecting = failure(begin(host));
  await turns();
  host.exit('exit status: 3');
  const error = await connecting;
  assert.equal(error.message, 'code-mode host exited during handshake');
  assert.equal((error.cause as CodemodeError).code, 'write-failed');
});

test('whoever ends the handshake gives the reason', async () => {
  const ours = new AbortController();
  const connecting = begin(new FakeHost(), 30_000, ours.signal);
  ours.abort(new CodemodeError('connection-closed', 'closed by a test'));
  assert.equal((await failure(connecting)).message, 'closed by a test');
  assert.equal((await failure(begin(new FakeHost(), 30_000, AbortSignal.abort()))).code, 'cancelled');
});

test('messages in the chunk of the hello, or in its second half, are not lost', async (t) => {
  for (const cut of [undefined, 3, 20]) {
    const host = new FakeHost();
    const connecting = begin(host);
    const early = Buffer.concat([host.bytes(ready), host.bytes({ type: 'delegate/cancel', id: 5 }), host.bytes(ready)]);
    if (cut === undefined) host.stdout.write(early);
    else {
      host.stdout.write(early.subarray(0, cut));
      await turns();
      host.stdout.write(early.subarray(cut));
    }
    const { connection } = await connecting;
    t.after(() => connection.close());
    assert.equal(connection.failure?.message, 'code-mode host sent a second handshake response');
  }
});

test('listeners of a failed handshake are gone', async () => {
  const host = new FakeHost();
  const signal = new AbortController().signal;
  const connecting = failure(begin(host, 30_000, signal));
  host.stdout.write('nonsense');
  await connecting;
  const { host: other, connection } = await join({ after: () => undefined } as never);
  connection.close();
  assert.equal(other.stdin.listenerCount('drain'), 0);
});
