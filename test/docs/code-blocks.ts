import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';

/** A fenced block of a document. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** Of the file that it stands for: beside the language, or in a comment on its first line. */
  readonly file: string | undefined;
  /** 1-based, of its first line. */
  readonly line: number;
}

export interface ConsoleExample {
  readonly command: string;
  readonly output: string;
  readonly line: number;
}

export const readDocument = (name: string): string => readFileSync(join(root, name), 'utf8');

export function codeBlocks(document: string): CodeBlock[] {
  const fenced = /^(`{3,})(\w+)(?: +(\S+))?\n([\s\S]*?)^\1$/gm;
  return [...document.matchAll(fenced)].map(({ index, 2: language = '', 3: name, 4: text = '' }) => ({
    language,
    text,
    file: name ?? /^\/\/ (\S+\.\w+)\n/.exec(text)?.[1],
    line: document.slice(0, index).split('\n').length + 1,
  }));
}

/** Each `$ command` of a block with the lines that follow it. */
export function consoleExamples({ text, line }: CodeBlock): ConsoleExample[] {
  return [...text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(({ index, 1: command = '', 2: output = '' }) => ({
    command,
    output,
    line: line + text.slice(0, index).split('\n').length - 1,
  }));
}

/** What a program says of its own output: `// → completed`. */
export const promisedLines = ({ text }: CodeBlock): string[] =>
  [...text.matchAll(/\/\/ → (.*)$/gm)].map(([, promised = '']) => promised);
