import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Host, type HostOptions } from '../../src/index.js';
import { root, runCli, temporaryFolder } from '../support/cli.js';
import { killMarked, MARK, markedProcesses } from '../support/marked-processes.js';
import { eventually } from '../support/processes.js';
import { hostProgram } from '../support/v1-client.js';
import { cellOperations } from './cell-operations.js';
import { type LoggedFrame, readFrameLog, saidBy } from './frame-log.js';
import type { Operation } from './operation.js';
import { realHost, skip } from './peers.js';
import { sessionOperations } from './session-operations.js';
import { Stage } from './stage.js';

// Our supervisor drives the real host and ours: what a caller sees, and what is said on the wire, has to be the same.

const operations = [...cellOperations, ...sessionOperations];
const tap = join(root, 'test/peers/tap.mjs');

interface Played {
  readonly value: unknown;
  readonly frames: readonly LoggedFrame[];
}

/** Does one operation with a host of its own; nothing of it is left. */
async function play(
  t: TestContext,
  program: string,
  { act, options }: Operation,
  more: Pick<HostOptions, 'capabilities'> = {},
): Promise<Played> {
  const log = join(await temporaryFolder(t), 'frames');
  const mark = randomUUID();
  t.after(() => killMarked(mark));
  const env = { set: { [MARK]: mark } };
  const host = new Host({ program: process.execPath, args: [tap, program, log], env, ...more });
  try {
    const stage = await Stage.on(host, options);
    const value: unknown = await act(host, stage);
    await stage.session.shutdown();
    return { value, frames: readFrameLog(log) };
  } finally {
    await host.close();
    await eventually(() => markedProcesses(mark).length === 0);
  }
}

const both = (t: TestContext, operation: Operation): Promise<[Played, Played]> =>
  Promise.all([play(t, realHost, operation), play(t, hostProgram, operation)]);

/** What ours grants beyond the reference: docs/differences.md. */
const OURS = 'msgpack-frames-v1';

function withoutOurs(messages: readonly unknown[]): unknown[] {
  return (messages as LoggedFrame['message'][]).map((message) =>
    message.type === 'connection/ready'
      ? { ...message, capabilities: (message.capabilities as string[]).filter((name) => name !== OURS) }
      : message,
  );
}

const ordered = (messages: readonly unknown[]): unknown[] => messages.map((message) => JSON.stringify(message)).sort();

describe('With the real host and with ours, the same is seen and said:', { skip }, () => {
  for (const operation of operations) {
    test(operation.title, async (t) => {
      const [real, ours] = await both(t, operation);
      assert.deepEqual(ours.value, real.value);
      for (const side of ['client', 'host'] as const) {
        const [theirs, own] = [saidBy(side, real.frames), withoutOurs(saidBy(side, ours.frames))];
        assert.ok(theirs.length > 3, 'a frame log that is nearly empty proves nothing');
        if (operation.anyOrder === true) assert.deepEqual(ordered(own), ordered(theirs));
        else assert.deepEqual(own, theirs);
      }
    });
  }
});

describe('Without any capability, a caller sees what the real host gives with all of them:', { skip }, () => {
  for (const operation of operations.filter(({ needsCapabilities }) => needsCapabilities !== true)) {
    test(operation.title, async (t) => {
      const [real, bare, ours] = await Promise.all([
        play(t, realHost, operation),
        play(t, realHost, operation, { capabilities: [] }),
        play(t, hostProgram, operation, { capabilities: [] }),
      ]);
      assert.deepEqual(bare.value, real.value);
      assert.deepEqual(ours.value, real.value);
    });
  }
});

test('frames are JSON with the real host; with ours they are msgpack from the answer to hello on', {
  skip,
}, async (t) => {
  const operation = operations.find(({ title }) => title === 'a tool call');
  assert.ok(operation !== undefined);
  const [real, ours] = await both(t, operation);
  assert.deepEqual([...new Set(real.frames.map(({ body }) => body))], ['json']);
  const greeting = ours.frames.filter(({ message }) => message.type.startsWith('connection/'));
  assert.deepEqual(
    greeting.map(({ body }) => body),
    ['json', 'json'],
  );
  const rest = ours.frames.filter((frame) => !greeting.includes(frame));
  assert.ok(rest.some(({ message }) => message.type === 'execute/initialResponse'));
  assert.deepEqual([...new Set(rest.map(({ body }) => body))], ['msgpack']);
  assert.deepEqual(
    greeting.map(({ message }) => (message.capabilities as string[] | undefined)?.includes(OURS)),
    [undefined, true],
  );
});

describe('The command line prints the same with the real host as with ours:', { skip }, () => {
  const example = (name: string): string => join(root, 'examples', name);
  const table: readonly (readonly string[])[] = [
    [example('licenses.js'), '--tools', example('files.tools.js')],
    [example('settled.js'), '--tools', example('slow.tools.js')],
    [example('remember.js'), example('recall.js')],
    [example('recall.js')],
    [example('picture.js')],
    ['-e', 'text("a"); throw new Error("b")'],
    ['-e', 'text(typeof tools)', '-e', 'notify("n"); exit()'],
  ];
  for (const args of table) {
    test(args.map((part) => part.replace(root, '')).join(' '), async (t) => {
      const run = async (...host: string[]) => {
        const folder = await temporaryFolder(t);
        const pictures = args.some((part) => part.includes('picture')) ? ['--out-dir', folder] : [];
        const { code, stdout, stderr } = await runCli(t, [...args, ...pictures, ...host], { cwd: root });
        return { code, stdout: stdout.replaceAll(folder, 'FOLDER'), stderr };
      };
      const [real, ours] = await Promise.all([run('--host', realHost), run()]);
      assert.deepEqual(ours, real);
      assert.notEqual(real.stdout + real.stderr, '');
    });
  }
});
