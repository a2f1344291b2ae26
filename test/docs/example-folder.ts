import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { cliFile, root } from '../support/cli.js';
import { killMarked, MARK, markedProcesses } from '../support/marked-processes.js';
import { eventually } from '../support/processes.js';
import { shellWord } from '../support/shell-word.js';
import type { CodeBlock } from './code-blocks.js';

const GUARD_MS = 60_000;

export interface ExampleResult {
  readonly code: number | null;
  /** Of both streams. */
  readonly output: string;
}

/**
 * A folder as a reader has it who follows a document: its files, the examples of the clone, and the package among the
 * modules. It is gone after the test, and so is everything that was started in it, which must have ended by itself.
 */
export class ExampleFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'codemode-docs-'));
  readonly #mark = randomUUID();

  constructor(test: TestContext, blocks: readonly CodeBlock[]) {
    test.after(async () => {
      try {
        await eventually(() => markedProcesses(this.#mark).length === 0);
      } finally {
        killMarked(this.#mark);
        rmSync(this.path, { recursive: true, force: true });
      }
    });
    mkdirSync(join(this.path, 'node_modules/.bin'), { recursive: true });
    symlinkSync(root, join(this.path, 'node_modules/codemode-run'));
    for (const name of ['@types', '@modelcontextprotocol', 'typescript'])
      symlinkSync(join(root, 'node_modules', name), join(this.path, 'node_modules', name));
    symlinkSync(join(root, 'examples'), join(this.path, 'examples'));
    const script = (text: string) => ({ mode: 0o755, flag: 'wx', text });
    for (const [name, { text, ...options }] of Object.entries({
      'codemode-run': script(`#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(cliFile)} "$@"\n`),
      npx: script('#!/bin/sh\nexec "$@"\n'),
    }))
      writeFileSync(join(this.path, 'node_modules/.bin', name), text, options);
    for (const { file, text } of blocks) if (file !== undefined) this.write(file, text);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  /** Runs a line of a shell. */
  async shell(line: string): Promise<ExampleResult> {
    return await this.#run('/bin/sh', ['-c', `${line}\n`]);
  }

  async node(...args: string[]): Promise<ExampleResult> {
    return await this.#run(process.execPath, args);
  }

  async #run(program: string, args: readonly string[]): Promise<ExampleResult> {
    const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
    const child = spawn(program, args, {
      cwd: this.path,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: `${join(this.path, 'node_modules/.bin')}:${PATH}`, HOME, TMPDIR: this.path, [MARK]: this.#mark },
    });
    const guard = setTimeout(() => child.kill('SIGKILL'), GUARD_MS);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (...end) => resolve(end));
    }).finally(() => clearTimeout(guard));
    assert.equal(signal, null, `${args.join(' ')}: ended by ${signal}: ${output}`);
    return { code, output };
  }
}
