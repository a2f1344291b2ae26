import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { CliRun } from '../support/cli.js';
import { killMarked, MARK, markedProcesses } from '../support/marked-processes.js';
import { eventually } from '../support/processes.js';
import { codexConfig } from './codex.js';
import { realCodex, skip } from './peers.js';
import { ScriptedModel, type Turn } from './scripted-model.js';

// The real Codex with the real host beside it, whose commands and files are those of our exec-server. Its model is scripted.

const bye: Turn = { say: 'bye' };
/** A variable of the server, which Codex does not have. */
const SERVER = 'LC_EXEC_SERVER_TEST';

/** Our server, and perhaps an ear between it and Codex. */
class Server {
  readonly run: CliRun;
  /** What Codex has said, and what it was told, in order; only with an ear. */
  readonly heard: string[] = [];
  url = '';
  /** Ends the connection of Codex, both ways and without a word. */
  cut: () => void = () => {};

  private constructor(t: TestContext) {
    this.run = new CliRun(t, ['exec-server'], { openStdin: true, env: { [SERVER]: 'ours' } });
  }

  static async start(t: TestContext, { tapped = false }: { readonly tapped?: boolean } = {}): Promise<Server> {
    const server = new Server(t);
    server.url = (await server.run.seen(/^ws:\/\/[\d.:]+/))[0];
    if (tapped) await server.#tap(t);
    return server;
  }

  async #tap(t: TestContext): Promise<void> {
    const ours = this.url;
    const front = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await new Promise((resolve) => front.once('listening', resolve));
    const { port } = front.address() as { port: number };
    this.url = `ws://127.0.0.1:${port}`;
    front.on('connection', (codex) => {
      const server = new WebSocket(ours);
      const opened = new Promise((resolve) => server.once('open', resolve));
      this.cut = () => codex.terminate();
      const pass = (from: WebSocket, to: WebSocket): void => {
        from.on('error', () => {});
        from.on('message', (data, binary) => {
          const { method } = JSON.parse(String(data)) as { method?: string };
          if (method !== undefined) this.heard.push(method);
          void opened.then(() => to.send(data, { binary }));
        });
        from.on('close', () => to.terminate());
      };
      pass(codex, server);
      pass(server, codex);
      t.after(() => server.terminate());
    });
    t.after(() => {
      for (const client of front.clients) client.terminate();
      front.close();
    });
  }

  /** Told to end, it leaves nothing. */
  async end(): Promise<void> {
    this.run.child.kill('SIGTERM');
    const { code, stderr } = await this.run.finish();
    assert.deepEqual([code, stderr], [0, '']);
  }
}

/** The real Codex in a place of its own, whose environment is the server at a URL. */
class Codex {
  readonly work: string;
  readonly #mark = randomUUID();
  readonly #folder: string;
  readonly #url: string;

  constructor(t: TestContext, model: ScriptedModel, url: string) {
    this.#url = url;
    this.#folder = mkdtempSync(join(dirname(realCodex), '..', 'run-'));
    t.after(() => {
      killMarked(this.#mark);
      rmSync(this.#folder, { recursive: true, force: true });
    });
    this.work = join(this.#folder, 'work');
    for (const name of ['home', 'work']) mkdirSync(join(this.#folder, name));
    writeFileSync(join(this.#folder, 'home', 'config.toml'), codexConfig(model.url));
  }

  /** `codex exec` from start to end, which `during` may bring about. */
  async exec(during: (interrupt: () => void) => Promise<void> = async () => {}): Promise<number | null> {
    const { PATH = '/usr/bin:/bin' } = process.env;
    const child = spawn(realCodex, ['exec', '--skip-git-repo-check', 'go'], {
      cwd: this.work,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH,
        HOME: this.#folder,
        CODEX_HOME: join(this.#folder, 'home'),
        CODEX_EXEC_SERVER_URL: this.#url,
        [MARK]: this.#mark,
      },
    });
    child.stderr.resume();
    const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    await during(() => child.kill('SIGINT'));
    const code = await ended;
    await eventually(() => markedProcesses(this.#mark).length === 0);
    return code;
  }
}

interface Answer {
  readonly output: string;
  readonly exit_code?: number;
  readonly session_id?: number;
}

/** Runs one cell through `codex exec`, and gives what it has said, which must be JSON. */
async function play(t: TestContext, server: Server, source: string): Promise<{ said: Answer[]; codex: Codex }> {
  const model = await ScriptedModel.start(t, { exec: source }, bye);
  const codex = new Codex(t, model, server.url);
  assert.equal(await codex.exec(), 0);
  assert.match(model.text(0), /^Script completed/, model.text(0));
  const said = model
    .text(0)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Answer);
  return { said, codex };
}

const PATIENT = 'yield_time_ms: 30_000';

describe('The real Codex with our exec-server:', { skip }, () => {
  test('runs its commands there, with what they print and how they end', async (t) => {
    const server = await Server.start(t);
    const cmd = `echo out; echo err >&2; echo $${SERVER} $CODEMODE_EXEC_PROCESS; pwd; exit 3`;
    const { said, codex } = await play(t, server, `text(await tools.exec_command({cmd: ${JSON.stringify(cmd)}}))`);
    const { output = '', exit_code } = said[0] ?? {};
    assert.equal(exit_code, 3);
    assert.deepEqual(output.match(/^(out|err)$/gm)?.sort(), ['err', 'out']);
    assert.match(output, /^ours [0-9a-f-]{36}:\d+$/m);
    assert.ok(output.includes(codex.work), output);
    await server.end();
  });

  test('gets more output than fits into one message', async (t) => {
    const server = await Server.start(t);
    const source = `const run = (cmd) => tools.exec_command({cmd, ${PATIENT}, max_output_tokens: 1_000_000});
      const {output, exit_code} = await run("seq 1 60000");
      const lines = output.trim().split("\\n");
      text({output: [lines.length, lines[0], lines.at(-1)].join(), exit_code})`;
    const { said } = await play(t, server, source);
    assert.deepEqual(said, [{ output: '60000,1,60000', exit_code: 0 }]);
    await server.end();
  });

  test('runs several commands at once', async (t) => {
    const server = await Server.start(t);
    const source = `const cmd = (n) => "mkdir -p d; touch d/" + n + "; until [ $(ls d | wc -l) = 4 ]; do :; done; echo " + n;
      const all = await Promise.all([1, 2, 3, 4].map((n) => tools.exec_command({cmd: cmd(n), ${PATIENT}})));
      text({output: all.map(({output}) => output.trim()).join("+")})`;
    const { said } = await play(t, server, source);
    assert.deepEqual(said, [{ output: '1+2+3+4' }]);
    await server.end();
  });

  test('types at a terminal, and ends its input', async (t) => {
    const server = await Server.start(t);
    const source = `const {session_id} = await tools.exec_command({cmd: "cat", tty: true, yield_time_ms: 250});
      text(await tools.write_stdin({session_id, chars: "hello\\n", yield_time_ms: 500}));
      text(await tools.write_stdin({session_id, chars: "\\u0004", ${PATIENT}}));`;
    const { said } = await play(t, server, source);
    assert.equal(said.map(({ output }) => output).join(''), 'hello\r\nhello\r\n');
    assert.deepEqual([said[0]?.exit_code, said[1]?.exit_code], [undefined, 0]);
    await server.end();
  });

  test('interrupts a command at its terminal, which may clean up', async (t) => {
    const server = await Server.start(t);
    const cmd = 'trap "echo caught; exit 5" INT; echo up; touch up; while :; do sleep 0.05; done';
    const source = `const first = await tools.exec_command({cmd: ${JSON.stringify(cmd)}, tty: true, yield_time_ms: 250});
      await tools.exec_command({cmd: "until [ -e up ]; do :; done"});
      text(first);
      text(await tools.write_stdin({session_id: first.session_id, chars: "\\u0003", ${PATIENT}}));`;
    const { said } = await play(t, server, source);
    assert.match(said.map(({ output }) => output).join(''), /^up\r\n(\^C)?caught\r\n$/);
    assert.equal(said[1]?.exit_code, 5);
    await server.end();
  });

  test('leaves a long command running when its time is over, and waits for its end later', async (t) => {
    const server = await Server.start(t);
    const source = `const cmd = "mkfifo gate; echo first; read -r word < gate; echo $word; exit 4";
      const first = await tools.exec_command({cmd, yield_time_ms: 250});
      text(first);
      text(await tools.exec_command({cmd: "until [ -p gate ]; do :; done; echo second > gate"}));
      text(await tools.write_stdin({session_id: first.session_id, chars: "", ${PATIENT}}));`;
    const { said } = await play(t, server, source);
    assert.deepEqual(
      said.map(({ exit_code }) => exit_code),
      [undefined, 0, 4],
    );
    assert.equal(said.map(({ output }) => output).join(''), 'first\nsecond\n');
    await server.end();
  });

  test('writes, changes and removes files there', async (t) => {
    const server = await Server.start(t, { tapped: true });
    const patch = (...lines: string[]): string =>
      `await tools.apply_patch(${JSON.stringify(['*** Begin Patch', ...lines, '*** End Patch'].join('\n'))});`;
    const { codex } = await play(
      t,
      server,
      patch('*** Add File: deep/new.txt', '+one', '+two', '*** Add File: gone.txt', '+x') +
        patch('*** Update File: deep/new.txt', '@@', ' one', '-two', '+zwei', '*** Delete File: gone.txt'),
    );
    assert.equal(readFileSync(join(codex.work, 'deep/new.txt'), 'utf8'), 'one\nzwei\n');
    assert.equal(existsSync(join(codex.work, 'gone.txt')), false);
    for (const method of ['fs/createDirectory', 'fs/readFile', 'fs/writeFile', 'fs/remove']) {
      assert.ok(server.heard.includes(method), server.heard.join());
    }
    await server.end();
  });

  test('hears that a file cannot be written, and a command not be started', async (t) => {
    const server = await Server.start(t);
    const patch = '*** Begin Patch\n*** Update File: none.txt\n@@\n-a\n+b\n*** End Patch';
    const source = `const told = (error) => text({output: String(error?.message ?? error)});
      await tools.apply_patch(${JSON.stringify(patch)}).catch(told);
      await tools.exec_command({cmd: "true", workdir: "/nonexistent"}).catch(told);`;
    const { said } = await play(t, server, source);
    assert.match(said[0]?.output ?? '', /none\.txt/);
    assert.match(said[1]?.output ?? '', /No such file or directory/);
    await server.end();
  });

  test('loses nothing of a command when its connection is cut', async (t) => {
    const server = await Server.start(t, { tapped: true });
    const cmd = 'mkfifo gate; echo before; read -r word < gate; echo $word; exit 6';
    const source = `text(await tools.exec_command({cmd: ${JSON.stringify(cmd)}, ${PATIENT}}))`;
    const model = await ScriptedModel.start(t, { exec: source }, bye);
    const codex = new Codex(t, model, server.url);
    const code = await codex.exec(async () => {
      await eventually(() => server.heard.includes('process/output'), 30_000);
      server.cut();
      writeFileSync(join(codex.work, 'gate'), 'after\n');
    });
    assert.equal(code, 0);
    assert.match(model.text(0), /"exit_code":6,.*"output":"before\\nafter\\n"/);
    assert.equal(server.heard.filter((method) => method === 'initialize').length, 2, server.heard.join());
    await server.end();
  });

  test('is interrupted while a command runs, of which nothing is left', async (t) => {
    const server = await Server.start(t, { tapped: true });
    const source = `text(await tools.exec_command({cmd: "sleep 300 & sleep 300; :", ${PATIENT}}))`;
    const model = await ScriptedModel.start(t, { exec: source }, bye);
    const codex = new Codex(t, model, server.url);
    const sleepers = (): number =>
      markedProcesses(server.run.mark).filter(({ command }) => command === 'sleep 300').length;
    await codex.exec(async (interrupt) => {
      await eventually(() => sleepers() === 2, 30_000);
      interrupt();
    });
    assert.ok(server.heard.includes('process/terminate'), server.heard.join());
    await eventually(() => sleepers() === 0);
    assert.equal(model.asked, 1);
    await server.end();
  });
});
