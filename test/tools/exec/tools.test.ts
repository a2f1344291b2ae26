import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Validator } from '@cfworker/json-schema';
import { ExecServerClient } from '../../../src/exec-server/client/index.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';
import { HeldOutput } from '../../../src/tools/exec/output.js';
import { execTools } from '../../../src/tools/exec/tools.js';
import { Toolbox } from '../../../src/tools/toolbox.js';
import { connected, readAnswer } from '../../exec-server/client/scripted-host.js';
import { serve, temporaryFolder } from '../../exec-server/server/peer.js';
import { killSleepers, sleepers, uniqueSeconds } from '../../exec-server/server/trees.js';
import { eventually, isAlive } from '../../support/processes.js';

interface Cells {
  readonly folder: string;
  call(name: string, input: object, signal?: AbortSignal): Promise<Answer>;
}

interface Answer {
  readonly output: string;
  readonly exit_code: number | null;
  readonly session_id?: number;
  readonly total_bytes: number;
  readonly omitted_bytes: number;
  readonly content: string;
  readonly bytes: number;
  readonly eof: boolean;
  readonly total: number;
  readonly truncated: boolean;
  readonly entries: readonly { readonly name: string; readonly kind: string }[];
}

async function cells(t: TestContext): Promise<Cells> {
  const folder = await temporaryFolder(t);
  const { server } = serve(t);
  const client = await ExecServerClient.connectInProcess({ server });
  t.after(() => client.close());
  return { folder, ...calling(client, folder) };
}

function calling(client: ExecServerClient, cwd: string): Pick<Cells, 'call'> {
  const toolbox = new Toolbox(execTools(client, { cwd }));
  let calls = 0;
  return {
    call: async (name, input, signal = new AbortController().signal) => {
      const call = { cellId: 'c', callId: `${++calls}`, name, namespace: null, input };
      return (await toolbox.invoke(call, { signal })) as Answer;
    },
  };
}

test('a command gives its output and its exit code', async (t) => {
  const { call, folder } = await cells(t);
  const answer = await call('exec_command', { cmd: 'echo hi; echo err >&2; pwd; exit 3' });
  assert.equal(answer.exit_code, 3);
  assert.deepEqual(answer.output.split('\n').sort(), ['', 'err', folder, 'hi'].sort());
  assert.deepEqual([answer.total_bytes, answer.omitted_bytes, answer.session_id], [answer.output.length, 0, undefined]);
});

test('of long output the beginning and the end are shown, with how much there was', async (t) => {
  const { call } = await cells(t);
  const cmd = 'echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo last';
  const answer = await call('exec_command', { cmd, max_output_bytes: 2_000 });
  assert.equal(answer.total_bytes, 5_000_012);
  // How much of the beginning is there depends on how soon it was read: the server keeps 1 MiB.
  const shown = /^(first\nx*\n?)?\[… (\d+) of 5000012 bytes left out …\]\n(x+\nlast\n)$/.exec(answer.output);
  assert.ok(shown !== null, answer.output.slice(0, 200));
  assert.equal(Number(shown[2]), answer.omitted_bytes);
  assert.ok(answer.omitted_bytes! >= 4_998_012 && answer.omitted_bytes! < 5_000_000, String(answer.omitted_bytes));
});

test('a command that takes longer goes on, can be written to, and ends', async (t) => {
  const { call } = await cells(t);
  const started = await call('exec_command', { cmd: 'cat; exit 4', stdin: true, yield_time_ms: 20 });
  assert.equal(started.exit_code, null);
  const session = { session_id: started.session_id };
  let said = '';
  for (let chars = 'hello\n'; said !== 'hello\n'; chars = '') {
    const answer = await call('write_stdin', { ...session, chars, yield_time_ms: 20 });
    assert.equal(answer.exit_code, null);
    said += answer.output;
  }
  const ended = await call('write_stdin', { ...session, eof: true });
  assert.deepEqual([ended.output, ended.exit_code], ['', 4]);
  await assert.rejects(call('write_stdin', session), /no command runs as session/);
});

test('a command can be interrupted and killed', async (t) => {
  const { call } = await cells(t);
  const cmd = 'trap "echo got; exit 5" INT; echo up; while :; do sleep 0.02; done';
  for (const [how, code] of [
    [{ chars: '\u0003' }, 5],
    [{ terminate: true }, 137],
  ] as const) {
    const { session_id, output } = await call('exec_command', { cmd, yield_time_ms: 20 });
    for (let said = output; said !== 'up\n'; ) {
      said += (await call('write_stdin', { session_id, yield_time_ms: 20 })).output;
    }
    assert.equal((await call('write_stdin', { session_id, ...how })).exit_code, code);
  }
  const deaf = await call('exec_command', { cmd: 'sleep 60', yield_time_ms: 20 });
  await assert.rejects(call('write_stdin', { session_id: deaf.session_id, chars: 'x' }), /does not take input/);
});

test('commands that have ended make room for others, and those that run do not', { timeout: 60_000 }, async (t) => {
  const { call } = await cells(t);
  const { session_id } = await call('exec_command', { cmd: 'exec sleep 60', yield_time_ms: 1 });
  for (let index = 0; index < 70; index += 1) {
    // It has ended when the next one begins, but nobody has asked for the rest.
    await call('exec_command', { cmd: 'exit 3', yield_time_ms: 1 });
    await call('exec_command', { cmd: 'true' });
  }
  assert.equal((await call('write_stdin', { session_id, yield_time_ms: 1 })).exit_code, null);
  const cmd = 'exec sleep 60';
  const outcomes = await Promise.allSettled(
    Array.from({ length: 80 }, () => call('exec_command', { cmd, yield_time_ms: 1 })),
  );
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  assert.equal(refused.length, 80 - 63);
  for (const reason of refused) assert.match(reason, /at most 64 commands may run at once/);
});

for (const [how, input] of [
  ['a read', {}],
  ['a write', { chars: 'x' }],
] as const) {
  test(`a command that the server has forgotten is told so, once: ${how}`, async () => {
    let known = true;
    const { client } = await connected({
      'environment/info': () => ({ shell: { name: 'sh', path: '/bin/sh' } }),
      'process/read': () => {
        if (known) return readAnswer([], { nextSeq: 1 });
        throw new RpcError(-32600, 'unknown process id p');
      },
      'process/write': () => ({ status: 'unknownProcess' }),
    });
    const { call } = calling(client, '/tmp');
    const { session_id } = await call('exec_command', { cmd: 'x', yield_time_ms: 1 });
    known = false;
    const told = /session 1 has ended, and the exec-server no longer keeps its output/;
    await assert.rejects(call('write_stdin', { session_id, ...input }), told);
    await assert.rejects(call('write_stdin', { session_id }), /no command runs as session/);
    await client.close();
  });
}

test('a background process that holds the output does not hold up the answer', async (t) => {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const { call } = await cells(t);
  const answer = await call('exec_command', { cmd: `sleep ${seconds} & echo started` });
  assert.deepEqual([answer.output, answer.exit_code], ['started\n', 0]);
});

test('a background process that prints without a pause does not hold up the answer', { timeout: 60_000 }, async (t) => {
  let folder = '';
  // Before the folder is removed.
  t.after(async () => {
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await eventually(() => !isAlive(pid));
  });
  const scene = await cells(t);
  folder = scene.folder;
  const cmd = 'yes & echo $! > pid; sleep 0.1; exit 3';
  const answer = await scene.call('exec_command', { cmd, yield_time_ms: 30_000, max_output_bytes: 1_000 });
  assert.deepEqual([answer.exit_code, answer.session_id], [3, undefined]);
  // Not the beginning: the server keeps the end only.
  assert.match(answer.output, /\ny\n/);
});

test('however fast a background process prints, the command that has ended is answered', {
  timeout: 60_000,
}, async (t) => {
  const { client } = await connected({
    'environment/info': () => ({ shell: { name: 'sh', path: '/bin/sh' } }),
    'process/read': ({ params }) => {
      const seq = Number(params.afterSeq ?? 0) + 1;
      return readAnswer([[seq, 'y']], { nextSeq: seq + 1, exited: true, exitCode: 3 });
    },
  });
  t.after(() => client.close());
  for (const yield_time_ms of [1, 3_600_000])
    assert.equal((await calling(client, '/tmp').call('exec_command', { cmd: 'x', yield_time_ms })).exit_code, 3);
});

test('of a command that has ended all is read that the server has kept, also when the time is over', async (t) => {
  const page = 'x'.repeat(1_000);
  const { client } = await connected({
    'environment/info': () => ({ shell: { name: 'sh', path: '/bin/sh' } }),
    'process/read': async ({ params }) => {
      const seq = Number(params.afterSeq ?? 0) + 1;
      // Longer than the call waits.
      await new Promise((resolve) => setTimeout(resolve, Number(params.waitMs) + 1));
      const last = { nextSeq: 6, exited: true, exitCode: 0, closed: true };
      return readAnswer(seq <= 5 ? [[seq, page]] : [], { ...last, nextSeq: Math.min(seq + 1, 6) });
    },
  });
  t.after(() => client.close());
  const answer = await calling(client, '/tmp').call('exec_command', { cmd: 'x', yield_time_ms: 1 });
  assert.deepEqual([answer.total_bytes, answer.exit_code], [5_000, 0]);
});

test('what the tools give is what their declarations say', async (t) => {
  const { call, folder } = await cells(t);
  const { server } = serve(t);
  const client = await ExecServerClient.connectInProcess({ server });
  t.after(() => client.close());
  const answers: Record<string, unknown[]> = {
    exec_command: [await call('exec_command', { cmd: 'cat', stdin: true, yield_time_ms: 1 })],
    write_stdin: [await call('write_stdin', { session_id: 1, eof: true })],
    write_file: [await call('write_file', { path: 'a', content: 'b' })],
    read_file: [await call('read_file', { path: 'a' })],
    list_dir: [await call('list_dir', { path: '.' })],
  };
  for (const { name, outputSchema } of execTools(client, { cwd: folder })) {
    const validator = new Validator(outputSchema as object);
    for (const answer of answers[name] ?? assert.fail(name)) assert.deepEqual(validator.validate(answer).errors, []);
    assert.equal(validator.validate({}).valid, false, name);
  }
});

test('the end of a cell ends the command that it waits for', async (t) => {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const { call } = await cells(t);
  const cell = new AbortController();
  const answer = call('exec_command', { cmd: `exec sleep ${seconds}` }, cell.signal);
  await eventually(() => sleepers(seconds).length === 1);
  cell.abort();
  await assert.rejects(answer);
  await eventually(() => sleepers(seconds).length === 0);
});

test('files are read in part and written whole, as text or base64', async (t) => {
  const { call, folder } = await cells(t);
  const path = 'a/b.txt';
  await assert.rejects(
    call('write_file', { path, content: 'x' }),
    /no such file or directory; to make its directory too/,
  );
  assert.deepEqual(await call('write_file', { path, content: 'grüße', create_parents: true }), { bytes: 7 });
  assert.equal(await readFile(join(folder, path), 'utf8'), 'grüße');
  const whole = await call('read_file', { path });
  assert.deepEqual([whole.content, whole.bytes, whole.total_bytes, whole.eof], ['grüße', 7, 7, true]);
  const part = await call('read_file', { path, offset: 1, max_bytes: 3 });
  assert.deepEqual([part.content, part.eof], ['rü', false]);
  const behind = await call('read_file', { path, offset: 100 });
  assert.deepEqual([behind.content, behind.bytes, behind.total_bytes, behind.eof], ['', 0, 7, true]);
  await call('write_file', { path, content: '//4AAQ==', encoding: 'base64' });
  assert.equal((await call('read_file', { path, encoding: 'base64' })).content, '//4AAQ==');
  await assert.rejects(call('write_file', { path, content: '***', encoding: 'base64' }));
});

test('a directory is listed by name, up to a limit', async (t) => {
  const { call, folder } = await cells(t);
  for (const name of ['b', 'a', 'c']) await writeFile(join(folder, name), '');
  const listed = await call('list_dir', { path: '.', max_entries: 2 });
  assert.deepEqual(listed, {
    entries: [
      { name: 'a', kind: 'file' },
      { name: 'b', kind: 'file' },
    ],
    total: 3,
    truncated: true,
  });
});

test('arguments that do not fit are refused by name, not changed', async (t) => {
  const { call } = await cells(t);
  for (const [name, input, message] of [
    ['exec_command', {}, /tool `exec_command`: `cmd` is missing \(expected a string\)/],
    ['exec_command', { cmd: 1 }, /`cmd` must be a string, got 1/],
    ['exec_command', { cmd: 'x', yield_time_ms: 0 }, /`yield_time_ms` must be an integer from 1 to 3600000, got 0/],
    ['exec_command', { cmd: 'x', env: { A: 1 } }, /`env.A` must be a string/],
    ['exec_command', { cmd: 'x', timeout: 5 }, /`timeout` is not known; known are `cmd`, /],
    ['read_file', { path: 'x', encoding: 'latin1' }, /`encoding` must be "utf8" or "base64"/],
    ['list_dir', { path: 'x', max_entries: 1.5 }, /`max_entries`/],
  ] as const) {
    await assert.rejects(call(name, input), message);
  }
});

test('held output cuts no character, and counts what nobody has any more', () => {
  const held = new HeldOutput(10);
  for (let index = 0; index < 20; index += 1) held.add(Buffer.from('ü'));
  assert.equal(held.text(), 'üü\n[… 30 of 40 bytes left out …]\nüü');
  const gap = new HeldOutput(10);
  gap.add(Buffer.from('abc'));
  gap.skip(1_000);
  gap.add(Buffer.from('xyz'));
  assert.equal(gap.text(), 'abc\n[… 1000 of 1006 bytes left out …]\nxyz');
  const fits = new HeldOutput(10);
  fits.add(Buffer.from('0123456'));
  fits.add(Buffer.from('789'));
  assert.deepEqual([fits.text(), fits.omitted], ['0123456789', 0]);
});

test('a server that could not say which shell it has is asked again', async (t) => {
  let asked = 0;
  const { client } = await connected({
    'environment/info': () => {
      asked += 1;
      if (asked === 1) throw new RpcError(-32603, 'not yet');
      return { shell: { name: 'sh', path: '/bin/sh' }, cwd: 'file:///tmp' };
    },
    'process/read': ({ params }) =>
      readAnswer(Number(params.afterSeq ?? 0) < 1 ? [[1, 'hi']] : [], {
        nextSeq: 2,
        exited: true,
        exitCode: 0,
        closed: true,
      }),
  });
  t.after(() => client.close());
  const { call } = calling(client, '/tmp');
  await assert.rejects(call('exec_command', { cmd: 'echo hi' }), /not yet/);
  for (let time = 0; time < 2; time += 1) assert.equal((await call('exec_command', { cmd: 'echo hi' })).output, 'hi');
  assert.equal(asked, 2);
});
