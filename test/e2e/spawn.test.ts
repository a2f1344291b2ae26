import assert from 'node:assert/strict';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CliRun, lastEvent, runCli, temporaryFile, temporaryFolder } from '../support/cli.js';

// Hosts that cannot be started at all.

test('a host that does not exist is reported with the text of the system', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['--host', '/no/such/host', '-e', '1']);
  assert.deepEqual([code, stdout], [3, '']);
  const [first, ...details] = stderr.split('\n');
  assert.equal(
    first,
    'codemode-run: failed to spawn code-mode host /no/such/host: No such file or directory (os error 2)',
  );
  assert.deepEqual(details, ['hint: program not found: /no/such/host does not exist', '']);
});

test('of a path of 1,187 bytes exactly the last 512 are shown, an ellipsis included', async (t) => {
  const name = 'the-host-that-is-not-installed-here';
  const path = `${'missing-directory/'.repeat(64)}${name}`;
  assert.equal(Buffer.byteLength(path), 1_187);
  const { code, stdout } = await runCli(t, ['--json', '--host', path, '-e', '1']);
  const { code: reason, message } = lastEvent(stdout);
  assert.deepEqual([code, reason], [3, 'spawn-failed']);
  const match = /^failed to spawn code-mode host (.*): No such file or directory \(os error 2\)$/.exec(String(message));
  const shown = match?.[1] ?? '';
  assert.equal(Buffer.byteLength(shown), 512);
  assert.equal(shown, `...${path.slice(-509)}`);
});

for (const [title, file, mode, text, hint] of [
  [
    'a missing interpreter',
    'host',
    0o755,
    '#!/no/such/interp\n',
    /^hint: interpreter `\/no\/such\/interp` of .*host not found$/,
  ],
  ['a CR behind the interpreter', 'host', 0o755, '#!/bin/sh\r\ntrue\r\n', /^hint: the `#!` line of .*host ends in CR/],
  ['a file without the permission', 'host', 0o644, '#!/bin/sh\n', /^hint: .*host is not executable/],
  ['a file of no known format', 'host', 0o755, 'hello\n', /^hint: .*host is neither a binary/],
  ['an empty file', 'host', 0o755, '', /^hint: .*host is empty$/],
] as const) {
  test(`each cause has a hint of its own: ${title}`, async (t) => {
    const host = await temporaryFile(t, file, text, mode);
    const { code, stdout, stderr } = await runCli(t, ['--host', host, '-e', '1']);
    const [first = '', second = '', ...more] = stderr.split('\n');
    assert.ok(first.startsWith(`codemode-run: failed to spawn code-mode host ${host}: `), first);
    assert.match(second, hint);
    assert.deepEqual([code, stdout, more], [3, '', ['']]);
  });
}

for (const [title, host] of [
  ['a directory', '/tmp'],
  ['a name of 300 letters', 'x'.repeat(300)],
  ['a name that PATH does not lead to', 'no-such-program-anywhere'],
] as const) {
  test(`whatever cannot be started is one failure: ${title}`, async (t) => {
    const { code, stdout } = await runCli(t, ['--json', '--host', host, '-e', '1']);
    assert.deepEqual([code, lastEvent(stdout).code], [3, 'spawn-failed']);
  });
}

test('a failed start signals nobody, least of all our own group', async (t) => {
  const shell = '"$@"; echo "exit $?"; echo still here';
  const { code, stdout } = await runCli(t, ['--host', '/no/such/host', '-e', '1'], { shell });
  assert.deepEqual([code, stdout], [0, 'exit 3\nstill here\n']);
});

test('a path with blanks, quotes and a dollar needs no shell', async (t) => {
  const host = await temporaryFile(t, "it's $HOME & co", '#!/bin/sh\nexit 9\n', 0o755);
  const { code, stderr } = await runCli(t, ['--host', host, '-e', '1']);
  assert.match(stderr, /^codemode-run: code-mode host exited during handshake: exit status: 9 after \d+ ms\n$/);
  assert.equal(code, 3);
});

test('a working directory that was deleted is named', async (t) => {
  const folder = join(await temporaryFolder(t), 'gone');
  const script = 'mkdir "$D" && cd "$D" && rmdir "$D" && "$@"';
  const { code, stderr } = await runCli(t, ['--host', '/bin/true', '-e', '1'], { shell: script, env: { D: folder } });
  await rmdir(folder).catch(() => {});
  assert.equal(code, 3, stderr);
  assert.match(
    stderr,
    /^codemode-run: failed to spawn code-mode host \/bin\/true: [^\n]+\nhint: working directory not found: .*\n$/,
  );
});

test('without a PATH an absolute path works, and a bare name is a failure that says so', async (t) => {
  const clean = 'exec env -i "$@"';
  const good = await runCli(t, ['-e', 'text(1)'], { shell: clean });
  assert.deepEqual([good.code, good.stdout], [0, '1\n']);
  const bad = await runCli(t, ['--json', '--host', 'no-such-program', '-e', '1'], { shell: clean });
  assert.deepEqual([bad.code, lastEvent(bad.stdout).code], [3, 'spawn-failed']);
});

test('nobody has to end their input to hear that there is no host', async (t) => {
  const run = new CliRun(t, ['--host', '/no/such/host', '-'], { openStdin: true });
  const { code, stderr } = await run.finish();
  assert.equal(code, 3);
  assert.match(stderr, /^codemode-run: failed to spawn code-mode host \/no\/such\/host: /);
});
