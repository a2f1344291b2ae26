import type { ExecServerClient, ProcessOutput, RemoteProcess } from '../exec-server/client/index.js';
import { fromBase64, toBase64 } from '../exec-server/wire/index.js';
import { Fields, flagSchema, numberSchema, type Range, refused, schema, textSchema } from './exec-input.js';
import { HeldOutput } from './exec-output.js';
import type { Tool, ToolContext } from './tool.js';

export interface ExecToolsOptions {
  /** Where commands run and relative paths begin: absolute, on the machine of the server. */
  readonly cwd: string;
}

const PAGE_BYTES = 262_144;
const MAX_SESSIONS = 64;
/** After the end of a command: how long output of what it left behind is waited for. */
const LAST_OUTPUT_MS = 100;
const BLOCK_BYTES = 1_048_576;

const limits = {
  yieldMs: { initial: 10_000, least: 1, most: 3_600_000 },
  outputBytes: { initial: 40_000, least: 1_000, most: 1_000_000 },
  fileBytes: { initial: 262_144, least: 1, most: 4_194_304 },
  entries: { initial: 1_000, least: 1, most: 50_000 },
} as const satisfies Readonly<Record<string, Range>>;

/** A command that goes on after its tool call. */
interface Running {
  readonly remote: RemoteProcess;
  /** The last number that was told. */
  seq: number;
  /** Bytes up to there, told or lost. */
  bytes: number;
}

/** The tools with which cells run commands and use files, through an exec-server. */
export function execTools(client: ExecServerClient, options: ExecToolsOptions): Tool[] {
  const tools = new ExecTools(client, options);
  const output = {
    yield_time_ms: numberSchema(
      'How long to wait for the end before the command goes on in the background',
      limits.yieldMs,
    ),
    max_output_bytes: numberSchema('Of longer output the middle is left out', limits.outputBytes),
  };
  return [
    {
      name: 'exec_command',
      description:
        'Runs a shell command. Gives {output, total_bytes, omitted_bytes, exit_code}; for one that still runs, exit_code is null and session_id is for write_stdin.',
      ...taking(
        ['cmd'],
        {
          cmd: textSchema('Shell command'),
          workdir: textSchema('Working directory'),
          shell: textSchema("Shell program; default: the user's"),
          login: flagSchema('Run the shell as a login shell'),
          tty: flagSchema('Give the command a terminal'),
          stdin: flagSchema('Keep stdin open for write_stdin; a terminal always does'),
          env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Additional variables' },
          ...output,
        },
        (fields, context) => tools.execCommand(fields, context),
      ),
    },
    {
      name: 'write_stdin',
      description:
        'Writes to a running command (nothing: only waits) and gives what it has printed since. "\\u0003" interrupts it.',
      ...taking(
        ['session_id'],
        {
          session_id: { type: 'integer', minimum: 1, description: 'From exec_command' },
          chars: textSchema('What to write'),
          eof: flagSchema('Close stdin afterwards'),
          terminate: flagSchema('Kill the command instead'),
          ...output,
        },
        (fields, context) => tools.writeStdin(fields, context),
      ),
    },
    {
      name: 'read_file',
      description: 'Reads a file, or a part of one. Gives {content, bytes, total_bytes, eof}.',
      ...taking(
        ['path'],
        {
          path: textSchema('Absolute, or relative to the working directory'),
          encoding: { type: 'string', enum: ['utf8', 'base64'], description: 'Default: utf8' },
          offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Byte to begin with' },
          max_bytes: numberSchema('At most this many bytes', limits.fileBytes),
        },
        (fields, context) => tools.readFile(fields, context),
      ),
    },
    {
      name: 'write_file',
      description: 'Makes a file, or replaces what is in it. Gives {bytes}.',
      ...taking(
        ['path', 'content'],
        {
          path: textSchema('Absolute, or relative to the working directory'),
          content: textSchema('All of it'),
          encoding: { type: 'string', enum: ['utf8', 'base64'], description: 'Of content; default: utf8' },
          create_parents: flagSchema('Make the directories on the way'),
        },
        (fields, context) => tools.writeFile(fields, context),
      ),
    },
    {
      name: 'list_dir',
      description: 'Lists a directory by name. Gives {entries: [{name, kind}], total, truncated}.',
      ...taking(
        ['path'],
        {
          path: textSchema('Absolute, or relative to the working directory'),
          max_entries: numberSchema('At most this many', limits.entries),
        },
        (fields, context) => tools.listDir(fields, context),
      ),
    },
  ];
}

function taking(
  required: readonly string[],
  properties: Readonly<Record<string, object>>,
  handle: (input: Fields, context: ToolContext) => Promise<unknown>,
): Pick<Tool, 'inputSchema' | 'handler'> {
  return {
    inputSchema: schema(required, properties),
    handler: async (input, context) => await handle(new Fields(input), context),
  };
}

interface Wait {
  readonly yieldMs: number;
  readonly outputBytes: number;
}

const waitOf = (input: Fields): Wait => ({
  yieldMs: input.integer('yield_time_ms', limits.yieldMs),
  outputBytes: input.integer('max_output_bytes', limits.outputBytes),
});

class ExecTools {
  readonly #client: ExecServerClient;
  readonly #cwd: string;
  readonly #running = new Map<number, Running>();
  #sessions = 0;
  #shell: Promise<string> | undefined;

  constructor(client: ExecServerClient, { cwd }: ExecToolsOptions) {
    this.#client = client;
    this.#cwd = cwd;
  }

  async execCommand(input: Fields, context: ToolContext): Promise<unknown> {
    if (this.#running.size >= MAX_SESSIONS) throw refused(`at most ${MAX_SESSIONS} commands may run at once`);
    const cmd = input.text('cmd');
    const shell = input.optionalText('shell') ?? (await this.#defaultShell());
    const tty = input.flag('tty');
    const wait = waitOf(input);
    const remote = await this.#client.start({
      argv: [shell, input.flag('login') ? '-lc' : '-c', cmd],
      cwd: this.#path(input.optionalText('workdir') ?? '.'),
      env: { PAGER: 'cat', GIT_PAGER: 'cat', TERM: tty ? 'xterm-256color' : 'dumb', ...input.texts('env') },
      // The environment of the server, but for what looks like a secret.
      envPolicy: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
      tty,
      pipeStdin: input.flag('stdin'),
      // Not given up half-way: a process that was started must be known, to be ended.
    });
    this.#sessions += 1;
    const id = this.#sessions;
    this.#running.set(id, { remote, seq: 0, bytes: 0 });
    try {
      return await this.#wait(id, wait, context.signal);
    } catch (error) {
      // The cell is over: nobody knows the session.
      this.#running.delete(id);
      await remote.terminate().catch(() => {});
      throw error;
    }
  }

  async writeStdin(input: Fields, { signal }: ToolContext): Promise<unknown> {
    const id = input.integer('session_id', { initial: -1 });
    const running = this.#running.get(id);
    if (running === undefined) throw refused(`no command runs as session ${id}`);
    const { remote } = running;
    const wait = waitOf(input);
    const chars = input.optionalText('chars') ?? '';
    if (input.flag('terminate')) await remote.terminate({ signal });
    else if (chars !== '' || input.flag('eof')) {
      const status = await remote.write(chars, { eof: input.flag('eof'), signal });
      if (status !== 'accepted' && chars === '\u0003') await remote.interrupt({ signal });
      else if (status !== 'accepted') {
        throw refused(`session ${id} does not take input (${status}): start it with tty: true or stdin: true`);
      }
    }
    return await this.#wait(id, wait, signal);
  }

  async readFile(input: Fields, { signal }: ToolContext): Promise<unknown> {
    const path = this.#path(input.text('path'));
    const most = input.integer('max_bytes', limits.fileBytes);
    const offset = input.integer('offset', { initial: 0 });
    const encoding = input.optionalText('encoding');
    const { size } = await this.#client.fs.getMetadata(path, { signal });
    await using file = await this.#client.fs.open(path, 'read', { signal });
    const held = new HeldOutput(most);
    let eof = false;
    while (!eof && held.total < most) {
      const block = await file.read(offset + held.total, Math.min(BLOCK_BYTES, most - held.total), { signal });
      held.add(block.bytes);
      eof = block.eof;
    }
    const content = encoding === 'base64' ? toBase64(held.bytes()) : held.text();
    return { content, bytes: held.total, total_bytes: Math.max(size ?? 0, offset + held.total), eof };
  }

  async writeFile(input: Fields, { signal }: ToolContext): Promise<unknown> {
    const path = this.#path(input.text('path'));
    const content = input.text('content');
    const data = input.optionalText('encoding') === 'base64' ? fromBase64(content) : new TextEncoder().encode(content);
    const parent = path.replace(/[/\\]+[^/\\]*[/\\]*$/, '');
    if (input.flag('create_parents') && parent !== '') await this.#client.fs.createDirectory(parent, { signal });
    await this.#client.fs.writeFile(path, data, { signal });
    return { bytes: data.length };
  }

  async listDir(input: Fields, { signal }: ToolContext): Promise<unknown> {
    const most = input.integer('max_entries', limits.entries);
    const found = await this.#client.fs.readDirectory(this.#path(input.text('path')), { signal });
    const entries = [...found]
      .sort((one, other) => (one.fileName < other.fileName ? -1 : 1))
      .slice(0, most)
      .map(({ fileName: name, isDirectory, isFile }) => ({
        name,
        kind: isDirectory === true ? 'directory' : isFile === true ? 'file' : 'other',
      }));
    return { entries, total: found.length, truncated: found.length > most };
  }

  #path(path: string): string {
    return /^([/\\]|[a-z]:[/\\]|file:)/i.test(path) ? path : `${this.#cwd}/${path}`;
  }

  #defaultShell(): Promise<string> {
    this.#shell ??= this.#client.environmentInfo().then(({ shell }) => shell?.path ?? '/bin/sh');
    return this.#shell;
  }

  /** What a command prints until its end, or until the time is over. */
  async #wait(id: number, { yieldMs, outputBytes }: Wait, signal: AbortSignal): Promise<unknown> {
    const running = this.#running.get(id);
    if (running === undefined) throw refused(`no command runs as session ${id}`);
    const began = performance.now();
    const held = new HeldOutput(outputBytes);
    let end = began + yieldMs;
    let page: ProcessOutput;
    for (;;) {
      const waitMs = Math.max(0, Math.ceil(end - performance.now()));
      page = await running.remote.read({ afterSeq: running.seq, maxBytes: PAGE_BYTES, waitMs, signal });
      take(running, page, held);
      if (page.chunks.length > 0 && (page.exited || waitMs > 0)) continue;
      if (page.closed === true || waitMs === 0) break;
      // What it has left in the background may hold its output open for ever.
      if (page.exited) end = Math.min(end, performance.now() + LAST_OUTPUT_MS);
    }
    if (page.exited) this.#running.delete(id);
    return {
      output: held.text(),
      total_bytes: held.total,
      omitted_bytes: held.omitted,
      exit_code: page.exited ? (page.exitCode ?? null) : null,
      ...(page.exited ? {} : { session_id: id }),
      wall_time_seconds: Math.round(performance.now() - began) / 1_000,
    };
  }
}

function take(running: Running, page: ProcessOutput, held: HeldOutput): void {
  if (page.truncated === true && page.droppedBytes !== undefined) {
    const lost = Math.max(0, page.droppedBytes - running.bytes);
    held.skip(lost);
    running.bytes += lost;
  }
  for (const { bytes } of page.chunks) {
    held.add(bytes);
    running.bytes += bytes.length;
  }
  running.seq = Math.max(running.seq, page.nextSeq - 1);
}
