/** What the compiler says about one place; `file` is as the compiler names it, undefined if it is about no file. */
export interface CompilerMessage {
  readonly file: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly code: string;
  /** One line: the details that follow are joined. */
  readonly message: string;
}

const head = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/;

/** Reads the plain output (`--pretty false`). Indented lines belong to the message before them. */
export function readCompilerOutput(output: string): CompilerMessage[] {
  const messages: CompilerMessage[] = [];
  for (const line of output.split(/\r?\n/)) {
    const found = head.exec(line);
    if (found !== null) {
      const [, file, row, column, code = '', message = ''] = found;
      messages.push({ file, line: Number(row ?? 1), column: Number(column ?? 1), code, message: message.trim() });
      continue;
    }
    const last = messages.at(-1);
    if (last === undefined || !/^\s+\S/.test(line)) continue;
    messages[messages.length - 1] = { ...last, message: `${last.message} ${line.trim()}` };
  }
  return messages;
}
