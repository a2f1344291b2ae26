import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Host, type HostOptions } from '../../src/supervisor/host.js';
import { failure } from '../connection/fake-host.js';
import { isAlive } from '../support/processes.js';
import { but, node, shell, silent, supervise } from './hosts.js';

const ms = String.raw`after \d+ ms`;

const failures: [string, Pick<HostOptions, 'program' | 'args'>, string, RegExp][] = [
  [
    'exits with 0',
    shell('exit 0'),
    'handshake-failed',
    new RegExp(`^code-mode host exited during handshake: exit status: 0 ${ms}$`),
  ],
  [
    'complains and exits with 7',
    shell('echo one >&2; echo two >&2; exit 7'),
    'handshake-failed',
    new RegExp(`^code-mode host exited during handshake: exit status: 7 ${ms}; stderr: one \\| two$`),
  ],
  [
    'is killed',
    shell('kill -9 $$'),
    'handshake-failed',
    new RegExp(`^code-mode host exited during handshake: signal: 9 \\(SIGKILL\\) ${ms}$`),
  ],
  [
    'closes its stdout and lives on',
    shell('exec 1>&-; exec sleep 60'),
    'handshake-failed',
    new RegExp(`^code-mode host exited during handshake: it closed its stdout and runs on, ${ms}$`),
  ],
  [
    'leaves a child that holds its stdout, and exits',
    shell('sleep 60 & exit 7'),
    'handshake-failed',
    new RegExp(`^code-mode host exited during handshake: exit status: 7 ${ms}$`),
  ],
  [
    'writes half a header',
    shell("printf '\\011\\000'; exit 0"),
    'protocol-error',
    /^failed to read code-mode host hello: early eof: stream ended inside a frame header, 2 of 4 bytes; exit status: 0$/,
  ],
  [
    'prints a banner',
    shell('echo "my-host v1 ready"; exec sleep 60'),
    'protocol-error',
    /^failed to read code-mode host hello: expected a hello frame, got text "my-host v1 ready\\n…" \(log to stderr, not stdout\)$/,
  ],
  [
    'speaks another version',
    but("on = () => send({ type: 'connection/ready', selectedVersion: 2, capabilities: [] });"),
    'version-mismatch',
    /^code-mode host returned an invalid handshake response: \{"type":"connection\/ready","selectedVersion":2,"capabilities":\[\]\} /,
  ],
  [
    'rejects the hello',
    but(
      "on = () => send({ type: 'connection/rejected', reason: { type: 'noCompatibleVersion', supportedVersions: [9] } });",
    ),
    'handshake-rejected',
    /^code-mode host rejected the handshake: \{"type":"noCompatibleVersion","supportedVersions":\[9\]\}$/,
  ],
];

for (const [name, command, code, text] of failures) {
  test(`a host that ${name} is one failure, and gone when it is reported`, async (t) => {
    const { host, pids, events } = supervise(t, command);
    const error = await failure(host.openSession({ delegate: silent }));
    assert.match(error.message, text);
    assert.equal(error.code, code);
    const [pid = 0] = pids();
    assert.equal(isAlive(pid), false);
    assert.equal(error.data.pid, pid);
    assert.ok(typeof error.data.elapsedMs === 'number' && 'stderr' in error.data && 'stdoutBytes' in error.data);
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => type !== 'stderr'),
      ['spawned', 'exited'],
    );
    await failure(host.connect());
    assert.equal(pids().length, 2);
  });
}

test('silence, also of a host that ignores signals, ends with the limit, and the host with it', async (t) => {
  const script = "trap '' TERM INT HUP; echo loading >&2; while :; do sleep 1; done";
  const { host, pids } = supervise(t, { ...shell(script), handshakeTimeoutMs: 300 });
  const error = await failure(host.connect());
  assert.equal(error.code, 'handshake-timeout');
  assert.match(
    error.message,
    /^timed out negotiating with the code-mode host: no answer after \d+ ms, 0 bytes on stdout, still running; stderr: loading$/,
  );
  assert.equal(isAlive(pids()[0] ?? 0), false);
});

test('a failure carries the facts: program, pid, exit, time, bytes and stderr', async (t) => {
  const { host, pids } = supervise(t, shell("printf '\\005\\000\\000\\000ab'; echo why >&2; exit 7"));
  const { data } = await failure(host.connect());
  assert.deepEqual(data.exit, { code: 7, signal: null });
  assert.equal(data.stdoutBytes, 6);
  assert.equal(data.stderr, 'why\n');
  assert.equal(data.pid, pids()[0]);
  assert.match(String(data.program), /sh$/);
});

test('of a crash report the telling lines are shown', async (t) => {
  const { host } = supervise(t, node("throw new TypeError('the reason')"));
  assert.match(
    (await failure(host.connect())).message,
    /^code-mode host exited during handshake: exit status: 1 after \d+ ms; stderr: .*TypeError: the reason$/,
  );
});

test('a missing program is one rejection with its path', async (t) => {
  const { host, pids } = supervise(t, { program: '/no/such/host' });
  const error = await failure(host.connect());
  assert.equal(error.code, 'spawn-failed');
  assert.match(
    error.message,
    /^failed to spawn code-mode host \/no\/such\/host: No such file or directory \(os error 2\)/,
  );
  assert.deepEqual(pids(), []);
});

test('a working directory that cannot be used is named, and so is what was started in vain', async (t) => {
  const { host } = supervise(t, { ...but(), cwd: '/no/such/directory' });
  const error = await failure(host.connect());
  assert.equal(
    error.message,
    `failed to spawn code-mode host ${process.execPath}: No such file or directory (os error 2); working directory not found: /no/such/directory`,
  );
  assert.equal(error.data.cwd, '/no/such/directory');
  // With a directory that is there nothing is said of it.
  const { host: other } = supervise(t, { program: '/no/such/host', cwd: '/' });
  const lost = await failure(other.connect());
  assert.doesNotMatch(lost.message, /working directory/);
});

test('ten that need a host at once share one start and its failure; the eleventh tries again', async (t) => {
  const { host, pids } = supervise(t, shell('echo no >&2; exit 7'));
  const errors = await Promise.all(Array.from({ length: 10 }, () => failure(host.openSession({ delegate: silent }))));
  assert.equal(pids().length, 1);
  assert.equal(new Set(errors.map(({ message }) => message)).size, 1);
  assert.equal(new Set(errors).size, 10);
  await failure(host.openSession({ delegate: silent }));
  assert.equal(pids().length, 2);
});

test('a host that fails once and then works is used the second time', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'codemode-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const mark = join(directory, 'mark');
  const script = `const fs = require('node:fs'); if (!fs.existsSync(${JSON.stringify(mark)})) { fs.writeFileSync(${JSON.stringify(mark)}, ''); process.exit(3); }`;
  const { args, program = '' } = but();
  const { host, pids } = supervise(t, { program, args: ['-e', script + String(args?.[1])] });
  assert.match((await failure(host.connect())).message, /exit status: 3/);
  assert.ok(existsSync(mark));
  assert.equal((await host.connect()).pid, pids()[1]);
});

test('60 hosts that exit at once are all reported as exits', {
  timeout: 120_000,
}, async (t) => {
  for (let i = 0; i < 60; i++) {
    const { host } = supervise(t, { program: '/bin/false' });
    const error = await failure(host.connect());
    assert.match(error.message, /^code-mode host exited during handshake: exit status: 1 after \d+ ms$/);
    assert.ok(Number(error.data.elapsedMs) < 5_000);
  }
});

test('a signal that has fired starts nothing, one that fires later leaves the start to others', async (t) => {
  const { host, pids } = supervise(t, but());
  assert.equal((await failure(host.connect({ signal: AbortSignal.abort('no') }))).code, 'cancelled');
  assert.deepEqual(pids(), []);
  const caller = new AbortController();
  const given = failure(host.connect({ signal: caller.signal }));
  const other = host.connect();
  caller.abort();
  assert.equal((await given).code, 'cancelled');
  assert.equal((await other).pid, pids()[0]);
  assert.equal(pids().length, 1);
});

test('close() during the handshake ends it at once, and the host', async (t) => {
  const { host, pids } = supervise(t, node('setTimeout(() => {}, 60_000)'));
  const connecting = failure(host.connect());
  const opening = failure(host.openSession({ delegate: silent }));
  await new Promise<void>((resolve) => {
    const look = () => (pids().length > 0 ? resolve() : void setImmediate(look));
    look();
  });
  const began = performance.now();
  await host.close();
  for (const error of [await connecting, await opening]) {
    assert.equal(error.message, 'code-mode host connection closed');
    assert.equal(error.code, 'connection-closed');
  }
  assert.ok(performance.now() - began < 2_000);
  assert.equal(isAlive(pids()[0] ?? 0), false);
});

test('options that cannot be used are refused', () => {
  for (const handshakeTimeoutMs of [0, -1, Number.NaN]) {
    assert.throws(() => supervise({ after: () => undefined } as never, { program: 'x', handshakeTimeoutMs }), {
      code: 'invalid-argument',
    });
  }
});

test('an option that is not known is refused by name', () => {
  for (const [options, option, meant] of [
    [{ progam: 'x' }, 'progam', 'program'],
    [{ limits: { opnMs: 1 } }, 'limits.opnMs', 'limits.openMs'],
    [{ env: { inhert: true } }, 'env.inhert', 'env.inherit'],
  ] as const) {
    assert.throws(() => new Host(options as never), {
      code: 'invalid-argument',
      message: new RegExp(`^new Host: the option ${option} is not known; did you mean ${meant}[?] known are `),
      data: { call: 'new Host', option },
    });
  }
  for (const options of ['x', null, { limits: 5 }, { env: [] }])
    assert.throws(() => new Host(options as never), { code: 'invalid-argument', message: /must be an object/ });
});
