import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { root } from '../support/cli.js';
import { type CodeBlock, codeBlocks, consoleExamples, promisedLines, readDocument } from './code-blocks.js';
import { ExampleFolder } from './example-folder.js';

/** A document whose examples are true. */
export class Document {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly CodeBlock[];

  constructor(name: string) {
    this.name = name;
    this.text = readDocument(name);
    this.blocks = codeBlocks(this.text);
  }

  of(language: string): CodeBlock[] {
    return this.blocks.filter((block) => block.language === language);
  }

  /** Each command prints what stands below it, in whatever order its two streams come. */
  async runConsole(test: TestContext): Promise<number> {
    const folder = new ExampleFolder(test, this.blocks);
    const examples = this.of('console').flatMap(consoleExamples);
    for (const { command, output, line } of examples) {
      const seen = await folder.shell(command);
      assert.deepEqual(settled(seen.output), settled(output), `${this.name}:${line}: ${command}`);
    }
    return examples.length;
  }

  /** Each line that starts the command succeeds; what installs something is left out. */
  async runShell(test: TestContext): Promise<number> {
    const folder = new ExampleFolder(test, this.blocks);
    const lines = this.of('sh').flatMap(({ text }) => text.split('\n'));
    const commands = lines.filter((line) => /^(npx )?codemode-run |^node examples\//.test(line));
    for (const command of commands) {
      const { code, output } = await folder.shell(command);
      assert.equal(code, 0, `${this.name}: ${command}\n${output}`);
      assert.notEqual(output, '', command);
    }
    return commands.length;
  }

  /** All TypeScript compiles against the types of the package; each program runs and prints what its comments say, no more. */
  async runPrograms(test: TestContext): Promise<number> {
    const folder = new ExampleFolder(test, this.blocks);
    const programs = this.of('ts').map((block, index) => ({ block, name: `program-${index + 1}` }));
    for (const { block, name } of programs) folder.write(`${name}.mts`, block.text);
    folder.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.mts'] }));
    const compiled = await folder.node(join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false');
    assert.deepEqual(compiled, { code: 0, output: '' }, this.name);
    for (const { block, name } of programs) {
      const { code, output } = await folder.node(`${name}.mjs`);
      assert.equal(code, 0, `${this.name}:${block.line}: ${output}`);
      assert.deepEqual(settled(output), settled(promisedLines(block).join('\n')), `${this.name}:${block.line}`);
    }
    return programs.length;
  }
}

const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
};

/** The lines, without what differs from run to run and from machine to machine. */
const settled = (text: string): string[] =>
  text
    .replace(/(after )\d+( ms)/g, '$1N$2')
    .replace(/(Wall time )[\d.]+/g, '$1N')
    .replace(/("wall_time_seconds":)[\d.]+/g, '$1N')
    .replace(/(program: )[^;\n]+/g, '$1PROGRAM')
    .split('\n')
    .filter((line) => line !== '')
    .sort();
