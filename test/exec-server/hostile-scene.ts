import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { CliRun } from '../support/cli.js';
import { eventually } from '../support/processes.js';
import { upgradeHeaders, WebSocketPeer } from './connection/websocket-peer.js';
import { startParams } from './server/peer.js';
import { killSleepers, sleepers, uniqueSeconds } from './server/trees.js';

/** How much memory a server has had at most, above what it had at first. */
export class Memory {
  readonly #pid: number;
  readonly #idle: number;
  readonly #timer: NodeJS.Timeout;
  #peak = 0;

  constructor(t: TestContext, pid: number) {
    this.#pid = pid;
    this.#idle = this.#kilobytes('VmRSS');
    this.#timer = setInterval(() => this.#look(), 5); // the mark stays, until the server has ended
    t.after(() => clearInterval(this.#timer));
  }

  /** Resolves when the server has nothing to do but to wait for us: its processor time stands still. */
  async settled(): Promise<void> {
    let [before, same] = [-1, 0];
    await eventually(() => {
      const fields = readFileSync(`/proc/${this.#pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      const ticks = Number(fields[11]) + Number(fields[12]);
      same = ticks === before ? same + 1 : 0;
      before = ticks;
      return same > 15;
    }, 30_000);
  }

  bounded(t: TestContext, limitMb: number): void {
    clearInterval(this.#timer);
    this.#look();
    const more = (this.#peak - this.#idle) / 1_024;
    t.diagnostic(`${more.toFixed(0)} MB more than before, at most`);
    assert.ok(more < limitMb, `${more.toFixed(0)} MB`);
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, this.#kilobytes('VmHWM'));
  }

  #kilobytes(name: string): number {
    try {
      return Number(
        new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${this.#pid}/status`, 'latin1'))?.[1] ?? 0,
      );
    } catch {
      return 0; // it has ended
    }
  }
}

/**
 * V8's young generation has the size that it has on Node 20: since Node 24 it takes twice as much of whatever comes before it
 * cleans up, and how much that is says nothing about what a server holds.
 */
const steadyMemory = { NODE_OPTIONS: '--max-semi-space-size=16' };

export const handshake = [{ id: 'i', method: 'initialize', params: { clientName: 'x' } }, { method: 'initialized' }];
export const start = (id: string, argv: readonly string[], more: object = {}): object => ({
  id: `start ${id}`,
  method: 'process/start',
  params: startParams(id, argv, more),
});

/** Two processes that sleep for a time by which they are known. */
export class Sleepers {
  readonly start: object;
  readonly #seconds = uniqueSeconds();

  constructor(t: TestContext) {
    t.after(() => killSleepers(this.#seconds));
    this.start = start('mine', ['/bin/sh', '-c', 'sleep "$0" & sleep "$0"; :', this.#seconds]);
  }

  /** The shell counts as well. */
  run = (): Promise<void> => eventually(() => sleepers(this.#seconds).length === 3);
  gone = (): Promise<void> => eventually(() => sleepers(this.#seconds).length === 0);
}

/** Somebody who minds his own business on the same server: he talks to a process. */
class Neighbour {
  readonly #peer: WebSocketPeer;
  #line = 0;

  private constructor(peer: WebSocketPeer) {
    this.#peer = peer;
  }

  static async at(t: TestContext, url: string): Promise<Neighbour> {
    const peer = await WebSocketPeer.open(t, url);
    for (const message of [...handshake, start('cat', ['cat'], { pipeStdin: true })]) peer.say(message);
    const neighbour = new Neighbour(peer);
    await neighbour.isServed();
    return neighbour;
  }

  async isServed(times = 1): Promise<void> {
    for (let time = 0; time < times; time++) {
      const chunk = Buffer.from(`line ${++this.#line}\n`).toString('base64');
      this.#peer.say({
        id: 'w',
        method: 'process/write',
        params: { processId: 'cat', chunk, writeId: `${this.#line}` },
      });
      for (;;) {
        const { method, params, error } = await this.#peer.next();
        assert.equal(error, undefined, JSON.stringify(error));
        if (method === 'process/output' && (params as { chunk: string }).chunk === chunk) break;
      }
    }
  }
}

export interface Scene {
  readonly run: CliRun;
  readonly url: string;
  readonly neighbour: Neighbour;
  readonly memory: Memory;
  /** A client that is through the handshake. */
  readonly hostile: () => Promise<WebSocketPeer>;
  /** The server has nothing open any more of those who have gone; the neighbour is served; it ends as if nothing was. */
  readonly survived: (limitMb: number) => Promise<void>;
}

export async function scene(t: TestContext): Promise<Scene> {
  const run = new CliRun(t, ['exec-server', '--detached-ttl', '0'], { openStdin: true, env: steadyMemory });
  const [url] = await run.seen(/^ws:\/\/[\d.:]+/);
  const neighbour = await Neighbour.at(t, url);
  const openFiles = (): number => readdirSync(`/proc/${run.pid}/fd`).length;
  const before = openFiles();
  const memory = new Memory(t, run.pid);
  return {
    run,
    url,
    neighbour,
    memory,
    hostile: async () => {
      const peer = await WebSocketPeer.open(t, url);
      for (const message of handshake) peer.say(message);
      assert.ok((await peer.next()).result);
      return peer;
    },
    survived: async (limitMb) => {
      await neighbour.isServed(10);
      memory.bounded(t, limitMb);
      await eventually(() => openFiles() <= before);
      run.child.kill('SIGTERM');
      assert.equal((await run.finish()).code, 0);
    },
  };
}

/** A socket behind its upgrade, on which bytes can be sent that no library would. */
export async function rawSocket(t: TestContext, url: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  const head = Object.entries({ host, ...upgradeHeaders }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET / HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

/** The beginning of a frame of text, with a mask that changes nothing. */
export const frame = (length: number, bytes: Uint8Array): Buffer => {
  const head = Buffer.alloc(14);
  head.set([0x81, 0xff]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, bytes]);
};

/** A server over stdio, on which something runs. */
export async function stdioScene(
  t: TestContext,
  holdStdout = false,
): Promise<{ run: CliRun; memory: Memory; mine: Sleepers; say: (line: object | string) => void }> {
  const run = new CliRun(t, ['exec-server', '--listen', 'stdio'], {
    openStdin: true,
    holdStdout,
    env: steadyMemory,
  });
  const say = (line: object | string): void => {
    run.child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  };
  const mine = new Sleepers(t);
  for (const message of [...handshake, mine.start]) say(message);
  await mine.run();
  return { run, mine, say, memory: new Memory(t, run.pid) };
}
