import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Host } from '../../src/index.js';
import { onAbort } from '../../src/waiting/on-abort.js';
import { echo, PENDING } from '../peers/operation.js';
import { realHost, skip } from '../peers/peers.js';
import { CliRun, fixture, patience, root } from '../support/cli.js';
import { markedProcesses } from '../support/marked-processes.js';
import { eventually, processesInGroup } from '../support/processes.js';
import { hostProgram } from '../support/v1-client.js';

// Statements 115 and 130 to 132: what happens to a host when its supervisor ends, and when an owner's listener throws.

const library = JSON.stringify(join(root, 'dist/index.js'));
const prelude = (program: string): string => `
const { Host } = await import(${library});
const host = new Host({
  program: ${JSON.stringify(program)},
  onEvent: (event) => event.type === 'stderr' && console.log('[host] ' + event.line),
});
const silent = { invokeTool: () => new Promise(() => {}) };
`;

/** A script that uses the built library, in a process group of its own, as a terminal would start it. */
function supervisor(t: TestContext, program: string, body: string): CliRun {
  const shell = 'exec setsid "$1" --input-type=module -e "$SCRIPT"';
  return new CliRun(t, [], { shell, env: { SCRIPT: prelude(program) + body } });
}

/** Null is no session, and an empty source no cell. */
const states: readonly (readonly [state: string, source: string | null])[] = [
  ['has no session yet', null],
  ['has an idle session', ''],
  ['spins', 'while (true) {}'],
  ['runs a cell that awaits what never comes', PENDING],
  ['waits for a tool', 'await tools.echo()'],
  ['serves a timer of 1 ms', 'const again = () => setTimeout(again, 1); again(); await new Promise(() => {})'],
  ['matches a catastrophic pattern', '/^(a+)+$/.test("a".repeat(64) + "b")'],
  ['raises a big integer to a power', 'for (;;) 3n ** 2_000_000n'],
  ['sorts millions of numbers', 'const a = Array.from({ length: 3e6 }, Math.random); for (;;) a.sort((x, y) => y - x)'],
  ['runs microtasks without end', 'for (;;) await null'],
  ['prints without end', 'for (;;) for (let n = 0; n < 1e5; n++) if (n === 0) text("x".repeat(1_000))'],
  ['writes JSON without end', 'const a = Array(2e6).fill(1); for (;;) JSON.stringify(a)'],
  ['splits a long string', 'const s = "a,".repeat(1e7); for (;;) s.split(",")'],
];

for (const [name, program, skipped] of [
  ['our host', hostProgram, false],
  ['the real host', realHost, skip],
] as const) {
  const started = (t: TestContext, source: string | null): CliRun =>
    supervisor(
      t,
      program,
      `const { pid } = await host.connect();
      const source = ${JSON.stringify(source)};
      const session = source === null ? undefined : await host.openSession({ delegate: silent });
      const execute = { source, tools: ${JSON.stringify(echo)}, yieldTimeMs: 50 };
      if (source) await (await session.execute(execute)).initial;
      console.log('up ' + pid);
      setInterval(() => {}, 60_000);`,
    );

  for (const [state, source] of states) {
    test(`131: ${name} is gone a second after a SIGKILL of its supervisor while it ${state}`, {
      skip: skipped,
    }, async (t) => {
      const run = started(t, source);
      await run.seen(/^up \d+$/m);
      assert.ok(markedProcesses(run.mark).length >= 2);
      run.child.kill('SIGKILL');
      await run.nothingLeft(patience(1_000));
      assert.equal((await run.ended).signal, 'SIGKILL');
    });
  }

  test(`131: ${name} that is stopped then is gone as soon as it goes on`, { skip: skipped }, async (t) => {
    const run = started(t, PENDING);
    const pid = Number((await run.seen(/^up (\d+)$/m))[1]);
    process.kill(pid, 'SIGSTOP');
    run.child.kill('SIGKILL');
    await run.ended;
    assert.ok(markedProcesses(run.mark).some((one) => one.pid === pid));
    process.kill(pid, 'SIGCONT');
    await run.nothingLeft(patience(1_000));
  });
}

test('132: an interrupt from the terminal does not reach the host', async (t) => {
  const run = supervisor(
    t,
    fixture('tells-of-signals'),
    `const session = await host.openSession({ delegate: silent });
    process.once('SIGINT', async () => {
      const { kind } = await (await session.execute({ source: '' })).initial;
      await host.close();
      console.log(kind);
    });
    console.log('up');`,
  );
  await run.seen(/^up$/m);
  process.kill(-run.pid, 'SIGINT');
  const { code, stdout, stderr } = await run.finish();
  assert.deepEqual([code, stdout, stderr], [0, 'up\nresult\n', '']);
});

test('132: but codemode-run ends, and its host with it', async (t) => {
  const args = ['--verbose', '--host', fixture('tells-of-signals'), '-'];
  const run = new CliRun(t, args, { shell: 'exec setsid "$@"', openStdin: true });
  await run.seen(/^\[codemode-run\] ready /m);
  process.kill(-run.pid, 'SIGINT');
  const { code, stderr } = await run.finish();
  assert.equal(code, 130);
  assert.match(stderr, /^codemode-run: ended by SIGINT$/m);
  assert.doesNotMatch(stderr, /got SIGINT/);
});

test('130: what is let go of with its scope has left no process within a second', async () => {
  let pid = 0;
  {
    await using host = new Host({ program: hostProgram });
    pid = (await host.connect()).pid;
    await using session = await host.openSession({ delegate: { invokeTool: () => null } });
    await (await session.execute({ source: 'while (true) {}', yieldTimeMs: 20 })).initial;
    assert.ok(processesInGroup(pid).length > 0);
  }
  // Everything has got its SIGKILL; a runner that spins needs some milliseconds to be gone.
  await eventually(() => processesInGroup(pid).length === 0, patience(1_000));
});

test('115: a listener of ours that throws keeps nobody from being told, and is no uncaught exception', () => {
  const controller = new AbortController();
  const told: number[] = [];
  for (const n of [1, 2, 3]) {
    onAbort(controller.signal, () => {
      told.push(n);
      if (n === 1) throw new Error('first');
    });
  }
  controller.abort();
  onAbort(controller.signal, () => {
    told.push(4);
    throw new Error('late');
  });
  assert.deepEqual(told, [1, 2, 3, 4]);
});

test("115: an owner's listener that throws is the owner's uncaught exception, and stops nothing", async (t) => {
  const run = supervisor(
    t,
    fixture('says-what-it-is-told'),
    `process.on('uncaughtException', ({ message }) => console.log('uncaught ' + message));
    const throws = (what) => () => { console.log('told ' + what); throw new Error(what); };
    const delegate = {
      invokeTool: ({ callId }, { signal }) => {
        signal.addEventListener('abort', throws(callId));
        return new Promise(() => {});
      },
      cellClosed: (cell) => console.log('closed ' + cell),
    };
    const failed = ({ code }) => console.log('failed ' + code);
    const session = await host.openSession({ delegate });
    await (await session.execute({ source: '' })).initial;
    const caller = new AbortController();
    caller.signal.addEventListener('abort', throws('caller'));
    const { signal } = caller;
    const waits = [1, 2].map(() => session.wait('1', { yieldTimeMs: 1 }, { signal }).catch(failed));
    caller.abort();
    await Promise.all(waits);
    const call = (id) => ({
      type: 'delegate/request', id, sessionId: 'session-1',
      request: { type: 'tool/invoke', invocation: {
        cell_id: '1', runtime_tool_call_id: 'call ' + id, tool_name: { name: 'echo', namespace: null },
        tool_kind: 'function', input: {} } },
    });
    await session.execute({ source: JSON.stringify([call(1), call(2), { exit: 3 }]) }).catch(failed);
    await host.close();`,
  );
  const { code, stdout } = await run.ended;
  await run.nothingLeft();
  const lines = stdout.trimEnd().split('\n').sort();
  const all = 'closed 1, failed cancelled, failed cancelled, failed host-exited, told call 1, told call 2, told caller';
  const uncaught = ', uncaught call 1, uncaught call 2, uncaught caller';
  assert.deepEqual([code, lines.join(', ')], [0, all + uncaught]);
});
