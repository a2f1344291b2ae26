import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CodemodeError } from '../../src/errors.js';
import { startHost } from '../../src/process/spawn.js';
import { readAll, start, temporaryFile, temporaryFolder } from './hosts.js';
import { runScript } from './script.js';

const env = { PATH: '/usr/bin:/bin' };

interface Command {
  program: string;
  args?: string[];
  cwd?: string;
  env?: Record<string, string>;
}

async function failureOf({ env: given, ...command }: Command): Promise<CodemodeError> {
  try {
    const host = await startHost({ command, env: given ?? env });
    await host.dispose();
  } catch (error) {
    assert.ok(error instanceof CodemodeError);
    assert.equal(error.code, 'spawn-failed');
    return error;
  }
  throw new assert.AssertionError({ message: `${command.program} did start` });
}

async function expectFailure(command: Command, reason: string, hint: RegExp | undefined, shown = command.program) {
  const error = await failureOf(command);
  assert.equal(error.message, `failed to spawn code-mode host ${shown}: ${reason}`);
  assert.equal(error.data.path, command.program);
  if (hint === undefined) assert.equal(error.data.hint, undefined);
  else assert.match(String(error.data.hint), hint);
  return error;
}

const notFound = 'No such file or directory (os error 2)';
const denied = 'Permission denied (os error 13)';
const badFormat = 'Exec format error (os error 8)';

test('a missing program is reported with its path and its errno', async () => {
  const error = await expectFailure(
    { program: '/no/such/host', cwd: '/' },
    notFound,
    /^program not found: \/no\/such\/host/,
  );
  assert.deepEqual(error.data, {
    path: '/no/such/host',
    cwd: '/',
    errno: 2,
    code: 'ENOENT',
    hint: 'program not found: /no/such/host does not exist',
  });
  assert.equal((error.cause as NodeJS.ErrnoException).code, 'ENOENT');
});

test('a relative program is looked for in the working directory of the host', async (context) => {
  const cwd = await temporaryFolder(context);
  await expectFailure({ program: './host', cwd }, notFound, new RegExp(`not found: ${cwd}/host does not exist`));
});

test('a bare name that no directory has is reported with the PATH that was searched', async () => {
  const hint = /no no-such-host in the host's PATH, which is "\/usr\/bin:\/bin"$/;
  await expectFailure({ program: 'no-such-host' }, notFound, hint);
  await expectFailure({ program: 'no-such-host', env: {} }, notFound, /PATH is not set$/);
});

test('a dangling link is reported with its target', async (context) => {
  const program = join(await temporaryFolder(context), 'link');
  await symlink('/no/such/target', program);
  await expectFailure({ program }, notFound, /is a link to \/no\/such\/target, which is missing$/);
});

test('a program below a file is reported as not a directory', async () => {
  await expectFailure({ program: '/etc/passwd/host' }, 'Not a directory (os error 20)', /a part of .* is a file/);
});

test('a missing working directory is told from a missing program', async () => {
  const program = '/bin/true';
  await expectFailure({ program, cwd: '/no/such/cwd' }, notFound, /^working directory not found: \/no\/such\/cwd$/);
  await expectFailure({ program, cwd: '/etc/passwd' }, 'Not a directory (os error 20)', /^working directory is not a/);
});

test('a working directory of ours that was deleted is told from a missing program', async (context) => {
  const cwd = await temporaryFolder(context);
  const body = `
    (await import('node:fs')).rmdirSync(process.cwd());
    await sh('true').catch((error) => console.log(error.code, error.message, '|', error.data.hint));
  `;
  const { stdout } = await runScript(body, { cwd });
  const message = `spawn-failed failed to spawn code-mode host /bin/sh: ${notFound}`;
  assert.equal(stdout, `${message} | working directory not found: ${cwd}\n`);
});

test('a missing interpreter is named', async (context) => {
  const program = await temporaryFile(context, 'host.mjs', '#!/no/such/interp --flag\n');
  const hint = `interpreter \`/no/such/interp\` of ${program} not found`;
  assert.equal((await expectFailure({ program }, notFound, /interpreter/)).data.hint, hint);
});

test('a `#!` line that ends in CR is named', async (context) => {
  const program = await temporaryFile(context, 'host.sh', '#!/bin/sh\r\necho hello\r\n');
  await expectFailure({ program }, notFound, /`#!` line of .* ends in CR/);
});

test('a directory is reported as one', async (context) => {
  await expectFailure({ program: await temporaryFolder(context) }, denied, / is a directory$/);
});

test('a file without the permission to execute is reported as not executable', async (context) => {
  const program = await temporaryFile(context, 'host', '#!/bin/sh\n', 0o644);
  const error = await expectFailure({ program }, denied, / is not executable/);
  assert.equal(error.data.errno, 13);
  assert.equal(error.data.code, 'EACCES');
});

test('a file without the permission to execute is found in the PATH too', async (context) => {
  const file = await temporaryFile(context, 'host', '#!/bin/sh\n', 0o644);
  await expectFailure({ program: 'host', env: { PATH: join(file, '..') } }, denied, new RegExp(`${file} is not exec`));
});

test('an executable of unknown format is refused, not handed to a shell', async (context) => {
  const program = await temporaryFile(context, 'host', 'echo a shell ran this\n');
  const error = await expectFailure({ program }, badFormat, /neither a binary/);
  assert.equal(error.data.errno, 8);
  const bare = await temporaryFile(context, 'host', '#!  \necho a shell ran this\n');
  await expectFailure({ program: bare }, badFormat, /neither a binary/);
  await expectFailure({ program: 'host', env: { PATH: join(program, '..') } }, badFormat, /neither a binary/);
});

test('an empty executable is refused, not reported as a success', async (context) => {
  const program = await temporaryFile(context, 'host', '');
  await expectFailure({ program }, badFormat, / is empty$/);
});

test('a name of 300 letters is too long', async () => {
  await expectFailure({ program: `/tmp/${'a'.repeat(300)}` }, 'File name too long (os error 36)', undefined);
});

test('a long path is cut at its head', async () => {
  const program = `/no/${'d/'.repeat(300)}the-host`;
  await expectFailure({ program }, notFound, /program not found/, `...${program.slice(-509)}`);
});

test('a NUL in the name, an argument, the working directory or a variable is refused', async () => {
  const reason = 'nul byte found in provided data';
  await expectFailure({ program: '/bin/a\0b' }, reason, undefined);
  await expectFailure({ program: '/bin/true', args: ['a\0b'] }, reason, undefined);
  await expectFailure({ program: '/bin/true', cwd: '/tmp\0' }, reason, undefined);
  await expectFailure({ program: '/bin/true', env: { A: '\0' } }, reason, undefined);
});

test('an empty name is a program that does not exist', async () => {
  await expectFailure({ program: '' }, notFound, /name of the program is empty/);
});

test('an argument of 200 KiB is more than the system takes', async () => {
  const args = ['x'.repeat(200 * 1024)];
  const error = await expectFailure({ program: '/bin/true', args }, 'Argument list too long (os error 7)', /128 KiB/);
  assert.equal(error.data.errno, 7);
  await expectFailure({ program: '/bin/true', env: { A: args[0]! } }, 'Argument list too long (os error 7)', /128 KiB/);
});

test('a process without descriptors left gets a failure it can catch', async () => {
  const body = `
    const { openSync } = await import('node:fs');
    await (await sh('true')).dispose();
    try { for (;;) openSync('/dev/null'); } catch {}
    const error = await sh('true').catch((error) => error);
    process.stdout.write(error.message);
  `;
  const result = await runScript(body, { shell: (command) => `ulimit -n 400; exec ${command}` });
  assert.equal(
    result.stdout,
    'failed to spawn code-mode host /bin/sh: Too many open files (os error 24)',
    result.stderr,
  );
  assert.equal(result.code, 0);
});

test('a path with spaces, quotes and characters of the shell runs, and so do its arguments', async (context) => {
  const folder = join(await temporaryFolder(context), "it's $HOME & co; `x`");
  await mkdir(folder);
  const program = join(folder, '-übung "1".sh');
  await symlink('/bin/echo', program);
  const host = await start(context, program, ['$HOME', '; exit 3', '*', '']);
  assert.equal(await readAll(host.stdout), '$HOME ; exit 3 * \n');
  assert.equal(host.program, program);
  assert.deepEqual(await host.exited, { code: 0, signal: null });
});

test('a bare name is found in the PATH of the host, and named in full', async (context) => {
  const folder = await temporaryFolder(context);
  await symlink('/bin/echo', join(folder, 'my-echo'));
  const host = await start(context, 'my-echo', ['hi'], { env: { PATH: `/no/such:${folder}` } });
  assert.equal(host.program, join(folder, 'my-echo'));
  assert.equal(await readAll(host.stdout), 'hi\n');
});

test('a script and a program with a relative path start in the working directory given', async (context) => {
  const file = await temporaryFile(context, 'host.sh', '#!/bin/sh\npwd\n');
  const cwd = join(file, '..');
  const host = await start(context, './host.sh', [], { cwd });
  assert.equal(await readAll(host.stdout), `${cwd}\n`);
});
