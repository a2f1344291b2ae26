import { processStatements } from './exec-server-processes.js';
import { otherStatements } from './exec-server-rest.js';
import { wireStatements } from './exec-server-wire.js';

// The 202 statements of the exec-server's specification and the tests that hold us to them. The table is text, in
// three files: a number and the statement in our words, then a line for each test, `file: title`, where files are those
// below test/exec-server. `open: why` says what nothing holds us to yet, `not applicable: why` that nothing will, and
// `differs: row` how a row of docs/exec-server.md begins that says where we do otherwise than the reference.

export interface PinnedStatement {
  readonly number: number;
  readonly says: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  readonly open: string | undefined;
  readonly notApplicable: string | undefined;
  readonly differs: readonly string[];
}

const KEYS: ReadonlySet<string> = new Set(['open', 'not applicable', 'differs']);

function parse(block: string): PinnedStatement {
  const [head = '', ...lines] = block.trim().split('\n');
  const entries = lines.map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)] as const;
  });
  const valuesOf = (key: string): string[] => entries.filter(([name]) => name === key).map(([, value]) => value);
  const [number = '', ...says] = head.split(' ');
  return {
    number: Number(number),
    says: says.join(' '),
    tests: entries.filter(([name]) => !KEYS.has(name)).map(([file, title]) => ({ file, title })),
    open: valuesOf('open')[0],
    notApplicable: valuesOf('not applicable')[0],
    differs: valuesOf('differs'),
  };
}

export const statements: readonly PinnedStatement[] = (wireStatements + processStatements + otherStatements)
  .split(/^(?=\d+ )/m)
  .filter((block) => block.trim() !== '')
  .map(parse);
