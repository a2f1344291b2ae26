import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CodemodeError } from '../../../src/errors.js';
import { ExecServerClient } from '../../../src/exec-server/client/index.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';
import { plainly } from '../../../src/tools/exec/failure.js';
import { execTools } from '../../../src/tools/exec/tools.js';
import { Toolbox } from '../../../src/tools/toolbox.js';
import { connected } from '../../exec-server/client/scripted-host.js';
import { serve, temporaryFolder } from '../../exec-server/server/peer.js';

/** The error of a call, which a cell sees as its message. */
async function failureOf(client: ExecServerClient, cwd: string, name: string, input: object): Promise<CodemodeError> {
  const call = { cellId: 'c', callId: '1', name, namespace: null, input };
  const { signal } = new AbortController();
  const error: unknown = await new Toolbox(execTools(client, { cwd }))
    .invoke(call, { signal })
    .catch((thrown) => thrown);
  assert.ok(error instanceof CodemodeError, String(error));
  return error;
}

async function failing(t: TestContext) {
  const folder = await temporaryFolder(t);
  const { server } = serve(t);
  const client = await ExecServerClient.connectInProcess({ server });
  t.after(() => client.close());
  return { folder, fail: (name: string, input: object) => failureOf(client, folder, name, input) };
}

test('what fails on a file says what, on which path, and what to do; the words of the server are the cause', async (t) => {
  const { folder, fail } = await failing(t);
  await writeFile(join(folder, 'file'), '');
  await mkdir(join(folder, 'dir'));
  const see = '; list_dir shows what is in the directories above it';
  for (const [name, input, message] of [
    ['read_file', { path: '/nope' }, `cannot read /nope: no such file or directory${see}`],
    ['read_file', { path: 'nope' }, `cannot read ${folder}/nope: no such file or directory${see}`],
    ['read_file', { path: 'dir' }, `cannot read ${folder}/dir: it is not a file; for a directory use list_dir`],
    [
      'read_file',
      { path: 'file/x' },
      `cannot read ${folder}/file/x: it, or a part of its path, is not a directory${see}`,
    ],
    [
      'write_file',
      { path: 'no/x', content: '' },
      `cannot write ${folder}/no/x: no such file or directory; to make its directory too, give create_parents: true`,
    ],
    [
      'list_dir',
      { path: 'file' },
      `cannot list ${folder}/file: it, or a part of its path, is not a directory; for a file use read_file`,
    ],
  ] as const) {
    const error = await fail(name, input);
    assert.equal(error.message, message);
    assert.equal(error.code, 'operation-failed');
    assert.equal(error.data.path, /(?:read|write|list) (\S+):/.exec(message)?.[1]);
    assert.match(String(error.cause), /exec-server rejected request/);
  }
  const notBase64 = await fail('write_file', { path: 'x', content: '!', encoding: 'base64' });
  assert.equal(notBase64.message, 'content is not base64: Invalid symbol 33, offset 0.');
});

test('a command that cannot start says whether its directory or its shell is missing', async (t) => {
  const { folder, fail } = await failing(t);
  await writeFile(join(folder, 'file'), '');
  const again = '; give another workdir';
  for (const [input, message] of [
    [{ workdir: '/nope' }, `cannot run the command: the working directory /nope does not exist${again}`],
    [{ workdir: 'file' }, `cannot run the command: the working directory ${folder}/file is not a directory${again}`],
    [
      { shell: '/bin/nosh' },
      'cannot run the command: there is no shell /bin/nosh; leave shell out to use the default one',
    ],
    [
      { shell: join(folder, 'file') },
      `cannot run the command: the shell ${folder}/file may not be run; leave shell out to use the default one`,
    ],
    [
      { shell: folder },
      `cannot run the command: the shell ${folder} may not be run; leave shell out to use the default one`,
    ],
    [
      { shell: join(folder, 'file/x') },
      `cannot run the command: a part of the path of the shell ${folder}/file/x is not a directory; leave shell out to use the default one`,
    ],
  ] as const) {
    assert.equal((await fail('exec_command', { cmd: 'pwd', ...input })).message, message);
  }
  if (process.getuid?.() === 0) return; // nothing is closed to root
  const closed = join(folder, 'closed');
  await mkdir(closed);
  await chmod(closed, 0);
  const denied = await fail('exec_command', { cmd: 'pwd', workdir: 'closed' });
  assert.equal(denied.message, `cannot run a command in ${closed}: permission denied; choose another workdir`);
});

test('a server without terminals is told with what it lacks and how to do without', async (t) => {
  const missing = 'tty: true needs the package @lydell/node-pty, which could not be loaded on this exec-server: gone';
  const { client } = await connected({
    'process/start': () => {
      throw new RpcError(-32603, missing);
    },
  });
  t.after(() => client.close());
  const error = await failureOf(client, '/', 'exec_command', { cmd: 'top', tty: true, shell: '/bin/sh' });
  assert.equal(
    error.message,
    `${missing} (npm install @lydell/node-pty); leave tty out to run the command without a terminal`,
  );
});

test('whatever else a server refuses is in its own words, without its numbers', async (t) => {
  const refuse = (message: string) => () => {
    throw new RpcError(-32603, message);
  };
  const { client } = await connected({
    'process/start': refuse('at most 2 processes may run in one session'),
    'environment/info': refuse('not yet'),
    'fs/getMetadata': refuse('Input/output error (os error 5)'),
  });
  t.after(() => client.close());
  const full = await failureOf(client, '/', 'exec_command', { cmd: 'x', shell: '/bin/sh' });
  assert.equal(full.message, 'at most 2 processes may run in one session');
  assert.equal((await failureOf(client, '/', 'exec_command', { cmd: 'x' })).message, 'not yet');
  assert.equal(
    (await failureOf(client, '/', 'read_file', { path: '/x' })).message,
    'cannot read /x: Input/output error',
  );
});

test('a working directory that is not absolute is refused, whatever the system of the server', async (t) => {
  const { client } = await connected();
  t.after(() => client.close());
  for (const cwd of ['', '.', 'undefined/x', '~/x'])
    assert.throws(() => execTools(client, { cwd }), {
      code: 'invalid-argument',
      message: `commandTools: cwd must be an absolute path on the machine of the exec-server, got ${JSON.stringify(cwd)}`,
    });
  for (const cwd of ['/', 'C:\\x', 'c:/x', '\\\\server\\share', 'file:///x'])
    assert.equal(execTools(client, { cwd }).length, 5);
});

test('words for a model are found for a refusal whatever had led to it', () => {
  const cause = new CodemodeError('connection-lost', 'the way is gone');
  const data = { message: 'Input/output error (os error 5)' };
  const told = plainly(new CodemodeError('operation-failed', 'exec-server rejected request', { cause, data }));
  assert.equal((told as CodemodeError).message, 'Input/output error');
  assert.equal(plainly(told), told);
});

test('a command without a directory of its own runs in that of the tools, which is named as it was given', async (t) => {
  const { client } = await connected({
    'process/start': () => {
      throw new RpcError(-32603, 'Permission denied (os error 13)');
    },
    'fs/getMetadata': () => {
      throw new RpcError(-32603, 'Permission denied (os error 13)');
    },
  });
  t.after(() => client.close());
  const error = await failureOf(client, '/work', 'exec_command', { cmd: 'x', shell: '/bin/sh' });
  assert.equal(
    error.message,
    'cannot run the command: the working directory /work may not be entered; give another workdir',
  );
});
