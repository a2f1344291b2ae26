import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/processes.js';
import { startParams } from './peer.js';

const program = fileURLToPath(new URL('../../../../bin/codemode-run.js', import.meta.url));
const MB = 1_048_576;
const TOTAL = 50_000_000;
const MEMORY_LIMIT_MB = 60;

/** A client that reads when it is told to, and counts. */
class SlowClient {
  readonly server: ChildProcessByStdio<Writable, Readable, null>;
  bytes = 0;
  highest = 0;
  #text = '';
  readonly results: string[] = [];
  closed = false;

  constructor(t: TestContext) {
    this.server = spawn(process.execPath, [program, 'exec-server', '--listen', 'stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    t.after(() => this.server.kill('SIGKILL'));
    this.server.stdout.setEncoding('latin1').on('data', (text: string) => this.#received(text));
  }

  send(message: object): void {
    this.server.stdin.write(`${JSON.stringify(message)}\n`);
  }

  memoryMb(): number {
    const [, resident = '0'] = readFileSync(`/proc/${this.server.pid}/statm`, 'latin1').split(' ');
    return (Number(resident) * 4_096) / MB;
  }

  #received(text: string): void {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('{"method":"process/output"')) {
        const chunk = /"chunk":"([^"]*)"/.exec(line)?.[1] ?? '';
        this.bytes += Buffer.from(chunk, 'base64').length;
        const seq = Number(/"seq":(\d+)/.exec(line)?.[1]);
        assert.equal(seq, this.highest + 1, 'nothing is left out, and nothing comes twice');
        this.highest = seq;
      } else if (line.startsWith('{"method":"process/closed"')) this.closed = true;
      else if (line.startsWith('{"id"')) this.results.push(line);
    }
  }
}

for (const tty of [false, true]) {
  const how = tty ? 'a terminal' : 'a pipe';
  test(`50 MB through ${how} to a reader that rests cost a bounded amount of memory, and all of it arrives`, async (t) => {
    const client = new SlowClient(t);
    client.send({ id: 1, method: 'initialize', params: { clientName: 'slow' } });
    client.send({ method: 'initialized' });
    // The first process brings what the second would count as its own.
    client.send({ id: 2, method: 'process/start', params: startParams('warm', ['true'], { tty }) });
    await eventually(() => client.closed);
    const idle = client.memoryMb();
    let highest = 0;
    const watch = setInterval(() => {
      highest = Math.max(highest, client.memoryMb());
    }, 20);
    t.after(() => clearInterval(watch));
    client.closed = false;
    client.highest = 0;
    client.server.stdout.pause();
    // Raw, so that a terminal changes nothing; the marker file says when the child is blocked or done.
    const script = `${tty ? 'stty raw;' : ''} head -c ${TOTAL} /dev/zero`;
    client.send({ id: 3, method: 'process/start', params: startParams('big', ['/bin/sh', '-c', script], { tty }) });
    for (let rest = 0; rest < 10 && !client.closed; rest += 1) {
      await settled(client);
      client.server.stdout.resume();
      await eventually(() => client.closed || client.bytes > ((rest + 1) * TOTAL) / 20, 30_000);
      if (!client.closed) client.server.stdout.pause();
    }
    client.server.stdout.resume();
    await eventually(() => client.closed, 60_000);
    assert.equal(client.bytes, TOTAL);
    client.send({ id: 4, method: 'process/read', params: { processId: 'big', afterSeq: 0, maxBytes: 1 } });
    await eventually(() => client.results.some((line) => line.startsWith('{"id":4,')));
    const read = client.results.find((line) => line.startsWith('{"id":4,')) ?? '';
    const { result } = JSON.parse(read) as { result: { droppedBytes: number; truncated: boolean } };
    assert.equal(result.truncated, true, 'who reads only now is told of the gap');
    assert.ok(result.droppedBytes > TOTAL - 2 * MB && result.droppedBytes < TOTAL);
    t.diagnostic(`${how}: idle ${idle.toFixed(0)} MB, highest ${highest.toFixed(0)} MB`);
    assert.ok(highest - idle < MEMORY_LIMIT_MB, `${idle.toFixed(0)} MB idle, ${highest.toFixed(0)} MB at most`);
  });
}

/** The server has nothing to do but to wait for us: its processor time stands still. */
async function settled(client: SlowClient): Promise<void> {
  let before = -1;
  let same = 0;
  await eventually(() => {
    const fields = readFileSync(`/proc/${client.server.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    same = ticks === before ? same + 1 : 0;
    before = ticks;
    return same > 15;
  }, 30_000);
}
