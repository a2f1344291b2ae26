import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { root } from '../support/cli.js';
import { killMarked, MARK, type MarkedProcess, markedProcesses } from '../support/marked-processes.js';
import { eventually } from '../support/processes.js';
import { shellWord } from '../support/shell-word.js';
import { hostProgram } from '../support/v1-client.js';
import { type LoggedFrame, readFrameLog } from './frame-log.js';
import { realCodex } from './peers.js';
import type { ScriptedModel } from './scripted-model.js';

const HOST_NAME = 'codex-code-mode-host';

/** Codex with a scripted model in code mode. This model has `apply_patch`, which models unknown to Codex lack. */
export const codexConfig = (url: string, features: readonly string[] = []): string => `
model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0
[features]
code_mode = true
code_mode_only = true
${features.join('\n')}
unbounded_connection_retries = false
`;

/** The real Codex beside our host, in a place of their own, with nothing but a scripted model to talk to. */
export class Codex {
  readonly #mark = randomUUID();
  readonly #folder: string;
  readonly #log: string;

  /** Codex looks for its host beside its own executable, and a symbolic link to that would be followed: so a hard link. */
  constructor(test: TestContext, model: ScriptedModel, { tapped = true }: { readonly tapped?: boolean } = {}) {
    const folder = mkdtempSync(join(dirname(realCodex), '..', 'run-'));
    test.after(() => {
      killMarked(this.#mark);
      rmSync(folder, { recursive: true, force: true });
    });
    this.#folder = folder;
    this.#log = join(folder, 'frames');
    for (const name of ['bin', 'home', 'work']) mkdirSync(join(folder, name));
    linkSync(realCodex, join(folder, 'bin', 'codex'));
    const host = join(folder, 'bin', HOST_NAME);
    if (tapped) {
      const command = [process.execPath, join(root, 'test/peers/tap.mjs'), hostProgram, this.#log];
      writeFileSync(host, `#!/bin/sh\nexec ${command.map(shellWord).join(' ')} "$@"\n`);
      chmodSync(host, 0o755);
    } else {
      symlinkSync(hostProgram, host);
    }
    writeFileSync(join(folder, 'home', 'config.toml'), codexConfig(model.url, ['code_mode_host_grpc = false']));
  }

  get frames(): LoggedFrame[] {
    return readFrameLog(this.#log);
  }

  /** The methods and types that Codex has said to the host, in order. */
  get said(): string[] {
    return this.frames
      .filter(({ from }) => from === 'client')
      .map(({ message }) => (message.request as { method?: string } | undefined)?.method ?? message.type);
  }

  /** The processes of the host, as long as it runs. */
  hostProcesses(): MarkedProcess[] {
    return markedProcesses(this.#mark).filter(({ command }) => command.includes('host'));
  }

  spawn(args: readonly string[]): ChildProcessByStdio<Writable, Readable, Readable> {
    const { PATH = '/usr/bin:/bin' } = process.env;
    return spawn(join(this.#folder, 'bin', 'codex'), args, {
      cwd: join(this.#folder, 'work'),
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH, HOME: this.#folder, CODEX_HOME: join(this.#folder, 'home'), [MARK]: this.#mark },
    });
  }

  /** `codex exec`, from start to end. It must succeed, and nothing may be left of it or of its host. */
  async exec(): Promise<void> {
    const child = this.spawn(['exec', '--skip-git-repo-check', 'go']);
    child.stdin.end();
    child.stdout.resume();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    assert.equal(code, 0, stderr);
    await this.nothingLeft();
  }

  async nothingLeft(): Promise<void> {
    try {
      await eventually(() => markedProcesses(this.#mark).length === 0);
    } catch (cause) {
      throw new Error(`left: ${JSON.stringify(markedProcesses(this.#mark))}`, { cause });
    }
  }
}

interface RpcMessage {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: only a few fields of many are looked at.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** `codex app-server`: one thread, of which the turns can be interrupted and steered. */
export class AppServer {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #codex: Codex;
  readonly #heard: RpcMessage[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #closed: Promise<unknown>;
  #over = false;
  #lastId = 0;
  #threadId = '';

  private constructor(codex: Codex) {
    this.#codex = codex;
    this.#child = codex.spawn(['app-server']);
    this.#child.stderr.resume();
    this.#closed = new Promise((resolve, reject) => this.#child.on('error', reject).on('close', resolve));
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#heard.push(JSON.parse(line) as RpcMessage);
      this.#tell();
    });
    this.#child.on('close', () => {
      this.#over = true;
      this.#tell();
    });
  }

  static async start(codex: Codex): Promise<AppServer> {
    const server = new AppServer(codex);
    await server.#request('initialize', { clientInfo: { name: 'test', title: 'test', version: '1' } });
    server.#send({ method: 'initialized' });
    const { thread } = await server.#request('thread/start', {});
    server.#threadId = thread.id;
    return server;
  }

  /** Begins a turn and gives its id. */
  async begin(text: string): Promise<string> {
    const { turn } = await this.#request('turn/start', { threadId: this.#threadId, input: [{ type: 'text', text }] });
    return turn.id;
  }

  async interrupt(turnId: string): Promise<void> {
    await this.#request('turn/interrupt', { threadId: this.#threadId, turnId });
  }

  async steer(turnId: string, text: string): Promise<void> {
    const input = [{ type: 'text', text }];
    await this.#request('turn/steer', { threadId: this.#threadId, expectedTurnId: turnId, input });
  }

  /** Resolves to a turn's status when it is over. */
  async over(turnId: string): Promise<string> {
    const { params } = await this.#find(
      ({ method, params }) => method === 'turn/completed' && params.turn.id === turnId,
    );
    return params.turn.status;
  }

  /** Ends it by the end of its input; nothing may be left. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#closed;
    await this.#codex.nothingLeft();
  }

  async #request(method: string, params: object): Promise<RpcMessage['result']> {
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    const answer = await this.#find((message) => message.id === id && message.method === undefined);
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  #send(message: RpcMessage): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async #find(accepts: (message: RpcMessage) => boolean): Promise<RpcMessage> {
    for (;;) {
      const found = this.#heard.find(accepts);
      if (found !== undefined) return found;
      if (this.#over) throw new Error(`codex has ended: ${JSON.stringify(this.#heard.slice(-3))}`);
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher();
    this.#watchers.clear();
  }
}
