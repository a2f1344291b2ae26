import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { loadCells } from '../../src/cli/cell-source.js';

test('a cell that has no end is given up, and said to be too large', async () => {
  const chunk = Buffer.alloc(16 * 2 ** 20, 'x');
  const stdin = new Readable({
    read() {
      this.push(chunk);
    },
  });
  await assert.rejects(loadCells([{ kind: 'file', name: '-' }], { cwd: '/', stdin }), {
    message: 'cannot read cell [stdin]: it is larger than 256 MiB',
  });
  assert.ok(stdin.destroyed);
});

const saidOf = async (name: string): Promise<string> => {
  const loading = loadCells([{ kind: 'file', name }], { cwd: '/nowhere', stdin: Readable.from([]) });
  return await loading.then(
    () => 'read',
    (error: unknown) => String((error as Error).message),
  );
};

for (const [name, hint] of [
  ['help', '; did you mean codemode-run --help?'],
  ['version', '; did you mean codemode-run --version?'],
  ['chek', '; did you mean codemode-run check?'],
  ['exec-sever', '; did you mean codemode-run exec-server?'],
  ['text(1)', '; for a source instead of a file use -e'],
  ['let a', '; for a source instead of a file use -e'],
  // Near to `help`, and nothing but names of cells.
  ...['cell', 'hello', 'heap', 'check', 'versions'].map((name): [string, string] => [name, '']),
  ...['my cell.js', 'build=1/cell.js', 'a (1).mts', 'help.ts'].map((name): [string, string] => [name, '']),
] as const) {
  test(`a cell that is missing is said to be, and where it was looked for: ${name}`, async () => {
    const problem = `cannot read cell ${name}: no such file (it was looked for at /nowhere/${name})`;
    assert.equal(await saidOf(name), `${problem}${hint}`);
  });
}
