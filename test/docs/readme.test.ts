import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { exitCodes } from '../../src/cli/exit-code.js';
import { options } from '../../src/cli/options.js';
import { root } from '../support/cli.js';
import { Document } from './document.js';

const readme = new Document('README.md');

test('the commands in the README print what stands below them', async (context) => {
  assert.ok((await readme.runConsole(context)) >= 4);
});

test('the other commands in the README succeed', async (context) => {
  assert.ok((await readme.runShell(context)) >= 2);
});

test('the programs in the README compile, and print what their comments say', async (context) => {
  assert.ok((await readme.runPrograms(context)) >= 2);
});

test('the README names every option of the command, and no other', () => {
  const table = /^\| option \|[\s\S]*?\n\n/m.exec(readme.text)?.[0] ?? '';
  const known = Object.keys(options).filter((name) => !['help', 'version', 'max-tokens', 'format'].includes(name));
  const named = [...table.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = '']) => name);
  assert.deepEqual(known.filter((name) => !named.includes(name)).sort(), []);
  assert.deepEqual(named.filter((name) => !(name in options)).sort(), []);
});

test('the README describes every event, and no other', () => {
  const source = readFileSync(join(root, 'src/cli/json-reporter.ts'), 'utf8');
  const emitted = [...source.matchAll(/#emit\('([a-z-]+)'/g)].map(([, type]) => type);
  const table = /^\| `type` \|[\s\S]*?\n\n/m.exec(readme.text)?.[0] ?? '';
  const described = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, type]) => type);
  assert.deepEqual(described.filter((type) => type !== 'type').sort(), emitted.sort());
});

test('the README has every exit code of the help', () => {
  const table = /^\| exit code \|[\s\S]*?\n\n/m.exec(readme.text)?.[0] ?? '';
  for (const code of Object.values(exitCodes)) assert.match(table, new RegExp(`^\\| ${code} \\|`, 'm'));
});

test('a file that documents show is one and the same in all of them, and in the examples', () => {
  const shown = ['README.md', 'docs/tools.md', 'docs/preflight.md'].flatMap((name) => new Document(name).blocks);
  const files = new Map<string, string>();
  for (const { file, text } of shown) {
    if (file === undefined) continue;
    const example = join(root, 'examples', file);
    const first = files.get(file) ?? (existsSync(example) ? readFileSync(example, 'utf8') : text);
    assert.equal(text, first, file);
    files.set(file, first);
  }
  assert.ok(files.has('weather.tools.mjs'));
});

test('links in the documents lead to files', () => {
  for (const name of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/tools.md', 'docs/preflight.md']) {
    const { text } = new Document(name);
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(join(root, dirname(name), target)), `${name}: ${target}`);
  }
});
