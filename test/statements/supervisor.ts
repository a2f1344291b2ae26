import { driverStatements } from './supervisor-driver.js';
import { hostStatements } from './supervisor-hosts.js';

// The 132 statements of the supervisor's specification and the tests that hold us to them. The table is text, in two
// files: a number and the statement in our words, then a line for each test, `folder/file: title`, or why there is none.

export interface PinnedStatement {
  readonly number: number;
  readonly says: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  readonly notApplicable: string | undefined;
  /** How rows of docs/differences.md begin that say where we do otherwise on purpose. */
  readonly differs: readonly string[];
}

function parse(block: string): PinnedStatement {
  const [head = '', ...lines] = block.split('\n').map((line) => line.trim());
  const entries = lines
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    });
  const valuesOf = (key: string): string[] => entries.filter(([name]) => name === key).map(([, value]) => value);
  const [number = '', ...says] = head.split(' ');
  return {
    number: Number(number),
    says: says.join(' '),
    tests: entries.filter(([name]) => name.includes('/')).map(([file, title]) => ({ file, title })),
    notApplicable: valuesOf('not applicable')[0],
    differs: valuesOf('differs'),
  };
}

export const statements: readonly PinnedStatement[] = (driverStatements + hostStatements)
  .split(/^(?=\d+ )/m)
  .filter((block) => block.trim() !== '')
  .map(parse);
