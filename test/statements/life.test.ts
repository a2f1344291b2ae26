import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodemodeError } from '../../src/errors.js';
import { failure, Recorder, turns } from '../connection/fake-host.js';
import { silent, supervise } from '../supervisor/hosts.js';
import { fixture } from '../support/cli.js';
import { completed, dies, frame, type Part, WAIT_1, yielded } from './scene.js';

// Statements 47 and 100 to 109, and exactly 64 MiB: hosts that die, stop, or cannot keep up, with more than one caller.

const exited = 'code-mode host exited with status ';
const status = { code: 'host-exited' } as const;

const deaths: readonly (readonly [title: string, parts: readonly Part[], text: string])[] = [
  ['100: exits with 3', [{ exit: 3 }], `${exited}exit status: 3`],
  ['100: exits with 0', [{ exit: 0 }], `${exited}exit status: 0`],
  ['100: is killed', [{ kill: 'SIGKILL' }], `${exited}signal: 9 (SIGKILL)`],
];

for (const [title, parts, text] of deaths) {
  test(`a host in use is one reason for everybody, and another host comes next: ${title}`, (t) =>
    dies(t, parts, { text, ...status }));
}

test('102: a host that closes its stdout and lives on is one reason for everybody, and is ended', (t) =>
  dies(t, [{ closeSync: 1 }], { text: 'code-mode host closed its stdout', code: 'host-closed' }));

test('104: of an answer and an exit in one go the answer is delivered, the exit is for the others', (t) =>
  dies(t, [completed(WAIT_1, yielded('1')), { exit: 3 }], {
    text: `${exited}exit status: 3`,
    ...status,
    answered: ['wait 1'],
  }));

test('105: of a bad frame and an exit at once, one is the reason of everybody, then and later', (t) =>
  dies(t, [frame('{{'), { exit: 6 }], {
    text: /^failed to read code-mode host message: failed to decode code-mode IPC frame: /,
    code: 'protocol-error',
  }));

const timedOut = 'code-mode host timed out waiting for wait response';

test('106: a stopped host is given up at the limit by everybody, and killed', (t) =>
  dies(t, [{ kill: 'SIGSTOP' }], { text: timedOut, code: 'operation-timeout' }, { waitGraceMs: 300 }));

test('47: a host that does not answer a wait is given up, and the next execute gets another', (t) =>
  dies(t, [], { text: timedOut, code: 'operation-timeout' }, { waitGraceMs: 300 }));

test('half a frame and then nothing is ended by the limit of whoever waits', (t) =>
  dies(t, ['0a0000007b'], { text: timedOut, code: 'operation-timeout' }, { waitGraceMs: 300 }));

test('101: a grandchild that holds stdout delays nobody, and every caller hears of the exit', async (t) => {
  const { host, pids } = supervise(t, { program: fixture('grandchild-holds-stdout') });
  const sessions = [await host.openSession({ delegate: silent }), await host.openSession({ delegate: silent })];
  const waits = sessions.map((session) => failure(session.wait('1', { yieldTimeMs: 60_000 })));
  const began = performance.now();
  const calls = [...waits, failure(sessions[0]!.execute({ source: '' }))];
  for (const error of await Promise.all(calls)) assert.equal(error.message, `${exited}exit status: 4`);
  // The grandchild lets go of it after 15 s.
  assert.ok(performance.now() - began < 10_000);
  assert.equal(pids().length, 1);
});

test('103: a host that closes its stdin fails whoever asks next, all with the broken pipe', async (t) => {
  const { host } = supervise(t, { program: fixture('closes-stdin-and-lives') });
  const session = await host.openSession({ delegate: silent });
  const calls = [
    session.wait('1', { yieldTimeMs: 60_000 }),
    session.terminate('1'),
    session.execute({ source: '' }),
    host.openSession({ delegate: silent }),
  ];
  const errors = await Promise.all(calls.map((call) => failure(call)));
  errors.push(await failure(session.wait('1', { yieldTimeMs: 1 })));
  for (const { message } of errors) {
    assert.equal(message, 'failed to write code-mode host message: Broken pipe (os error 32)');
  }
});

test('107: a host that never reads is given up when 128 requests wait, and nobody waits for its pipe', async (t) => {
  const { host, pids } = supervise(t, { program: fixture('stops-reading') });
  const session = await host.openSession({ delegate: silent });
  const calls: Promise<CodemodeError>[] = [];
  let lost = false;
  // What is asked in one turn is one write; so one call a turn. The kernel takes some of them, 128 wait here.
  while (!lost && calls.length < 400) {
    const call = failure(session.execute({ source: 'x'.repeat(65_536) }));
    calls.push(call);
    void call.then(() => {
      lost = true;
    });
    await turns(1);
  }
  for (const { message } of await Promise.all(calls)) assert.equal(message, 'code-mode host outgoing queue is full');
  assert.ok(calls.length > 128 && calls.length < 400, `${calls.length} calls`);
  assert.equal(pids().length, 1);
});

test('108: 200 answers of 256 KiB reach a host that reads slowly, and another session goes on meanwhile', async (t) => {
  const { host } = supervise(t, { program: fixture('reads-slowly') });
  const order: string[] = [];
  const told = (text: string) => order.push(text);
  let count = 0;
  const delegate = new Recorder(() => {
    count += 1;
    return String(count).padEnd(256 * 1024, '.');
  });
  const slow = await host.openSession({ delegate });
  const other = await host.openSession({ delegate: silent });
  const cell = await slow.execute({ source: '' });
  const first = cell.initial.then(({ items }) => void told(JSON.stringify(items)));
  const second = await other.execute({ source: '' });
  await second.initial.then(({ kind }) => told(kind));
  await first;
  const text = JSON.stringify([{ type: 'input_text', text: '200 whole answers, 200 the last' }]);
  assert.deepEqual(order.sort(), [text, 'result'].sort());
});

test('109: 10,000 calls of a tool that never answers cost 1,024 and not more, the others get the limit', async (t) => {
  const { host } = supervise(t, { program: fixture('calls-ten-thousand-times') });
  const delegate = new Recorder(() => new Promise(() => undefined));
  const session = await host.openSession({ delegate });
  const { items } = await (await session.execute({ source: '' })).initial;
  const text = '8976 refused: code-mode host exceeded the limit of 1024 pending delegate calls';
  assert.deepEqual(items, [{ type: 'input_text', text }]);
  assert.equal(delegate.calls.length, 1_024);
});

test('73: a frame of exactly 64 MiB is accepted', async (t) => {
  const { host } = supervise(t, { program: fixture('fills-a-frame') });
  const session = await host.openSession({ delegate: silent });
  const { items } = await (await session.execute({ source: '' })).initial;
  const [item] = items as readonly { text?: string }[];
  assert.ok(/^x+$/.test(item?.text ?? '') && item!.text!.length > 67_000_000);
});
