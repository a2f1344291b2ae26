import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { groupIsGone } from '../support/processes.js';

// The judge shares no code with what it judges: frames are written and read here by hand, and messages are plain values.

/** Our own host, built. */
export const ourHost = fileURLToPath(new URL('../../../bin/codemode-host.js', import.meta.url));

export const MAX_FRAME = 67_108_864;
/** Long enough for a machine that has other things to do. */
export const PATIENCE_MS = 30_000;

// biome-ignore lint/suspicious/noExplicitAny: whatever a host sends; each statement looks at what it needs.
export type Message = any;
export type Json = Record<string, unknown>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A frame around text, bytes, or a value that becomes JSON. */
export function frame(content: object | string): Buffer {
  const body = Buffer.isBuffer(content)
    ? content
    : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

/** The command line of a host program; one in JavaScript is run by the Node that runs this. */
const commandOf = (program: string): [string, string[]] =>
  /\.[cm]?js$/.test(program) ? [process.execPath, [program]] : [program, []];

/** A host process in a group of its own, and everything it has said. */
export class HostWire {
  readonly messages: Message[] = [];
  /** The JSON texts of the messages, for what a JavaScript number cannot hold. */
  readonly texts: string[] = [];
  stderr = '';
  onDelegate: (message: Message) => void = () => undefined;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #exited: Promise<Exit>;
  #exit: Exit | undefined;
  #chunks: Buffer[] = [];
  #have = 0;
  readonly #watchers = new Set<() => void>();

  constructor(program: string, env: Readonly<Record<string, string>> = {}) {
    const [command, args] = commandOf(program);
    const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
    this.#child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: { PATH, HOME, ...env },
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('error', () => {});
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#tell();
    });
    this.#exited = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => {
        this.#exit = { code, signal };
        this.#tell();
        resolve(this.#exit);
      });
    });
    this.#exited.catch(() => this.#tell());
  }

  get hasExited(): boolean {
    return this.#exit !== undefined;
  }

  write(bytes: Buffer): this {
    this.#child.stdin.write(bytes);
    return this;
  }

  send(...messages: readonly object[]): this {
    return this.write(Buffer.concat(messages.map((message) => frame(message))));
  }

  end(): this {
    this.#child.stdin.end();
    return this;
  }

  /** Stops reading, as a client that is gone. */
  stopReading(): void {
    this.#child.stdout.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The first message, past or to come, that the predicate accepts. */
  async heard(what: string, accepts: (message: Message) => boolean, limitMs = PATIENCE_MS): Promise<Message> {
    let found: Message;
    const looked = { at: 0 };
    await this.when(
      what,
      () => {
        while (found === undefined && looked.at < this.messages.length) {
          const message = this.messages[looked.at++];
          if (accepts(message)) found = message;
        }
        return found !== undefined;
      },
      limitMs,
    );
    return found;
  }

  /** Resolves when something is true of what the host has said; fails when it ends, or says nothing, before. */
  async when(what: string, isSo: () => boolean, limitMs = PATIENCE_MS): Promise<void> {
    await this.#watch(what, () => isSo() || this.hasExited, limitMs);
    if (!isSo()) throw new Error(`ended without ${what}: ${JSON.stringify(this.#exit)} ${this.stderr.slice(0, 500)}`);
  }

  exit(limitMs = PATIENCE_MS): Promise<Exit> {
    return this.#watch('an exit', () => this.hasExited, limitMs).then(() => this.#exited);
  }

  /** Watches for some time that nothing is said and nobody ends; the only thing here that takes its time. */
  async staysSilent(ms: number): Promise<void> {
    const before = this.messages.length;
    const disturbed = () => this.hasExited || this.messages.length > before;
    const heard = await this.#watch('', disturbed, ms).then(
      () => true,
      () => false,
    );
    if (heard) throw new Error(`not silent: ${this.texts.slice(before).join(' ').slice(0, 500)}${this.stderr}`);
  }

  all(type: string): Message[] {
    return this.messages.filter((message) => message.type === type);
  }

  /** Whether one message came before another; both must be there. */
  inOrder(...messages: readonly Message[]): boolean {
    const places = messages.map((message) => this.messages.indexOf(message));
    return places.every((place, index) => place >= 0 && (index === 0 || place > places[index - 1]!));
  }

  /** Ends whatever is left, and proves that nothing is. */
  async destroy(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is gone already.
    }
    await this.#exited;
    await groupIsGone(pid);
  }

  #watch(what: string, isSo: () => boolean, limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (done: () => void): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        done();
      };
      const look = (): void => {
        if (isSo()) finish(resolve);
      };
      const timer = setTimeout(() => finish(() => reject(new Error(`no sign of ${what} in ${limitMs} ms`))), limitMs);
      this.#watchers.add(look);
      look();
    });
  }

  #tell(): void {
    for (const look of [...this.#watchers]) look();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#have += chunk.length;
    while (this.#have >= 4) {
      if (this.#chunks[0]!.length < 4) this.#chunks = [Buffer.concat(this.#chunks)];
      const length = this.#chunks[0]!.readUInt32LE();
      if (this.#have < 4 + length) break;
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
      this.#have = bytes.length - 4 - length;
      this.#chunks = this.#have === 0 ? [] : [bytes.subarray(4 + length)];
      this.#hear(bytes.toString('utf8', 4, 4 + length));
    }
    this.#tell();
  }

  #hear(text: string): void {
    const message: Message = JSON.parse(text);
    this.texts.push(text);
    this.messages.push(message);
    if (message.type === 'delegate/request') this.onDelegate(message);
  }
}
