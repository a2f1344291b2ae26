import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

// The rules of the house, read off the source tree. Whoever needs another arrow changes the table here, on purpose.

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Who may import whom. Values go along an arrow. `protocol` is pure, so its values may also be taken from further above;
 * types cost nothing, so they may be taken from whatever can be reached by arrows.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  names: ['errors'],
  protocol: ['errors'],
  waiting: ['errors'],
  process: ['waiting', 'errors'],
  connection: ['protocol', 'waiting', 'errors'],
  supervisor: ['connection', 'process', 'names', 'waiting', 'errors'],
  host: ['protocol', 'connection', 'waiting', 'errors'],
  'exec-server': ['process', 'protocol', 'names', 'waiting', 'errors'],
  tools: ['exec-server', 'names', 'waiting', 'errors'],
  mcp: ['process', 'tools', 'names', 'waiting', 'errors'],
  source: ['process', 'tools', 'names', 'waiting', 'errors'],
  contract: ['source', 'tools', 'protocol', 'names', 'waiting', 'errors'],
  cli: ['supervisor', 'process', 'tools', 'mcp', 'source', 'exec-server', 'names', 'errors'],
  index: ['errors', 'protocol', 'supervisor', 'tools', 'mcp', 'source', 'contract'],
};
/** Types beyond the arrows: a tool answers a supervisor's delegate, in the words of the protocol. */
const typeArrows: Readonly<Record<string, readonly string[]>> = {
  tools: ['supervisor', 'protocol'],
  contract: ['supervisor'],
};

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

interface Source {
  /** Relative to src, with slashes. */
  readonly file: string;
  /** `cli`, `host`, …; files directly in src are folders of their own. */
  readonly folder: string;
  readonly text: string;
  /** Without comments and the contents of strings. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => isFile(join(root, folder, name)))
    .map((name) => name.replaceAll('\\', '/'));

/** One pass over comments, strings and template strings; regular expressions are rare enough to be ignored. */
const withoutWords = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, (found) =>
    found.startsWith('/') ? '' : "''",
  );

function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const statement = /^(?:import|export)\s+(type\s+)?((?:[^;'"]|\n)*?)\s*from\s+'([^']+)'/gm;
  for (const [, type, names = '', target = ''] of text.matchAll(statement)) {
    const list = /^\{([\s\S]*)\}$/
      .exec(names)?.[1]
      ?.split(',')
      .map((name) => name.trim());
    const allTypes = list?.filter((name) => name !== '').every((name) => name.startsWith('type ')) ?? false;
    found.push({ target, typeOnly: type !== undefined || allTypes });
  }
  for (const [, target = ''] of text.matchAll(/^import\s+'([^']+)'/gm)) found.push({ target, typeOnly: false });
  for (const [, target = ''] of text.matchAll(/(?<!typeof )\bimport\('([^']+)'\)/g))
    found.push({ target, typeOnly: false });
  return found;
}

const folderOf = (file: string): string => (file.includes('/') ? file.split('/')[0] : file.replace(/\.ts$/, '')) ?? '';

const sources: readonly Source[] = filesUnder('src').map((file) => {
  const text = readFileSync(join(root, 'src', file), 'utf8');
  return { file, folder: folderOf(file), text, code: withoutWords(text), imports: importsOf(text) };
});

/** The file in src that a relative import names, or undefined for a package. */
const inside = (source: Source, target: string): string | undefined =>
  target.startsWith('.') ? posix.join(posix.dirname(source.file), target).replace(/\.js$/, '.ts') : undefined;

const withImports = sources.flatMap((source) => source.imports.map((one) => ({ source, ...one })));

function reachable(folder: string, seen = new Set<string>()): Set<string> {
  for (const next of arrows[folder] ?? []) {
    if (seen.has(next)) continue;
    seen.add(next);
    reachable(next, seen);
  }
  return seen;
}

/** What a file says outside comments, as a list of `file: match`. */
const uses = (pattern: RegExp, allowed: (file: string) => boolean = () => false): string[] =>
  sources
    .filter(({ file }) => !allowed(file))
    .flatMap(({ file, code }) => [...code.matchAll(pattern)].map(([found]) => `${file}: ${found}`));

const packageImports = (name: RegExp, allowed: (file: string) => boolean): string[] =>
  withImports
    .filter(({ source, target }) => name.test(target) && !allowed(source.file))
    .map(({ source, target }) => `${source.file}: ${target}`);

test('this test sees the whole tree', () => {
  const folders = new Set(sources.map(({ folder }) => folder));
  const missing = Object.keys(arrows).filter((folder) => !folders.has(folder));
  assert.deepEqual(missing, []);
  assert.deepEqual([...folders].filter((folder) => !(folder in arrows)).sort(), []);
  assert.ok(sources.length >= 100, `${sources.length} files`);
  assert.ok(withImports.length >= 200, `${withImports.length} imports`);
  assert.ok(withImports.some(({ typeOnly }) => typeOnly) && withImports.some(({ target }) => target === 'execa'));
});

test('every relative import leads to a file', () => {
  const files = new Set(sources.map(({ file }) => file));
  const lost = withImports.filter(({ source, target }) => {
    const file = inside(source, target);
    return file !== undefined && !files.has(file);
  });
  assert.deepEqual(
    lost.map(({ source, target }) => `${source.file} → ${target}`),
    [],
  );
});

test('imports follow the arrows', () => {
  const wrong = withImports.filter(({ source, target, typeOnly }) => {
    const file = inside(source, target);
    if (file === undefined) return false;
    const to = folderOf(file);
    if (to === source.folder || arrows[source.folder]?.includes(to) === true) return false;
    const reach = reachable(source.folder);
    if (typeOnly) return !reach.has(to) && typeArrows[source.folder]?.includes(to) !== true;
    return !(to === 'protocol' && reach.has(to));
  });
  assert.deepEqual(
    wrong.map(({ source, target, typeOnly }) => `${source.file} → ${target}${typeOnly ? ' (type)' : ''}`),
    [],
  );
});

test('protocol imports nothing of Node but types, tools only what turns a path into a URL', () => {
  const wrong = withImports.filter(
    ({ source, target, typeOnly }) =>
      ['protocol', 'tools'].includes(source.folder) &&
      isBuiltin(target) &&
      !typeOnly &&
      !(
        /^tools\/module\/(load-tools|import-problem)\.ts$/.test(source.file) &&
        ['node:path', 'node:url'].includes(target)
      ),
  );
  assert.deepEqual(
    wrong.map(({ source, target }) => `${source.file} → ${target}`),
    [],
  );
});

test('protocol and tools have no timers, no process, no console, no Buffer', () => {
  const impure = /\b(setTimeout|setInterval|setImmediate|queueMicrotask|process|console|Buffer)\b\s*[.(]/g;
  // The msgpack library writes through the methods of Buffer.
  const pure = (file: string): boolean => !/^(protocol|tools)\//.test(file) || file === 'protocol/msgpack-codec.ts';
  assert.deepEqual(uses(impure, pure), []);
});

test('connection never sees a pid, process never sees a message', () => {
  const forbidden = withImports.filter(
    ({ source, target }) =>
      (source.folder === 'connection' && /child_process|execa|cluster|worker_threads/.test(target)) ||
      (source.folder === 'process' && /\/(protocol|connection|supervisor|host|cli|tools)\//.test(target)),
  );
  assert.deepEqual(
    forbidden.map(({ source, target }) => `${source.file} → ${target}`),
    [],
  );
  assert.deepEqual(
    uses(/\bpid\b/g, (file) => !file.startsWith('connection/')),
    [],
  );
});

test('the two halves of the host share one file, and types', () => {
  const isRunner = (file: string): boolean => /^host\/(runner|prelude)\//.test(file);
  const crossing = withImports.filter(({ source, target, typeOnly }) => {
    const file = inside(source, target);
    if (source.folder !== 'host' || file === undefined || !file.startsWith('host/')) return false;
    return isRunner(source.file) !== isRunner(file) && file !== 'host/runner-wire.ts' && !typeOnly;
  });
  assert.deepEqual(
    crossing.map(({ source, target }) => `${source.file} → ${target}`),
    [],
  );
  const leaning = sources
    .filter(({ file }) => isRunner(file))
    .flatMap((source) =>
      source.imports
        .filter(({ target, typeOnly }) => !typeOnly && inside(source, target)?.startsWith('host/') === false)
        .map(({ target }) => `${source.file} → ${target}`)
        .filter((found) => !found.includes('/protocol/')),
    );
  assert.deepEqual(leaning, []);
  assert.ok(sources.filter(({ file }) => isRunner(file)).length >= 10);
});

test('the prelude is made of nothing but itself', () => {
  const wrong = withImports.filter(
    ({ source, target, typeOnly }) =>
      source.file.startsWith('host/prelude/') &&
      !typeOnly &&
      inside(source, target)?.startsWith('host/prelude/') !== true,
  );
  assert.deepEqual(
    wrong.map(({ source, target }) => `${source.file} → ${target}`),
    [],
  );
});

test('signals are sent in two files: to the groups of hosts, and to what the exec-server has started', () => {
  const one = (file: string): boolean => file === 'process/process-group.ts';
  const sender = (file: string): boolean => one(file) || file === 'exec-server/server/signals.ts';
  assert.deepEqual(uses(/(?<![\w.#])process\.kill\b|\btreeKill\b/g, sender), []);
  assert.deepEqual(packageImports(/^tree-kill$/, one), []);
  const taskkill = sources.filter(({ file, text }) => !one(file) && /['"]taskkill['"]/.test(text));
  assert.deepEqual(
    taskkill.map(({ file }) => file),
    [],
  );
});

test('in the host, processes are started in two files', () => {
  const starter = (file: string): boolean => !file.startsWith('host/') || /^host\/(child-runner|leash)\.ts$/.test(file);
  assert.deepEqual(packageImports(/^node:(child_process|cluster|worker_threads)$/, starter), []);
});

test('only programs end the process, print, and read the command line', () => {
  const program = (file: string): boolean => file.startsWith('cli/') || file === 'host/main.ts';
  assert.deepEqual(uses(/(?<![\w.#])process\.(exit|exitCode|abort|argv)\b|\bconsole\.\w+/g, program), []);
});

test('the environment is read in three places', () => {
  const reader = (file: string): boolean =>
    file.startsWith('cli/') || ['process/environment.ts', 'host/walls.ts'].includes(file);
  assert.deepEqual(uses(/\bprocess\.env\b/g, reader), []);
});

test('each dependency is behind its own few files', () => {
  const behind: readonly (readonly [name: RegExp, place: RegExp])[] = [
    [/^execa$/, /^process\/spawn\.ts$/],
    [/^msgpackr(\/|$)/, /^protocol\/msgpack-codec\.ts$/],
    [/^yargs$/, /^cli\/help\.ts$/],
    [/^yargs-parser$/, /^cli\/given-options\.ts$/],
    [/^p-timeout$/, /^connection\/deadline\.ts$/],
    [/^tree-kill$/, /^process\/process-group\.ts$/],
    [/^ws$/, /^exec-server\/(connection\/(listen-websocket|websocket-channel|ping)|client\/websocket-dialer)\.ts$/],
    [/^jose$/, /^exec-server\/connection\/bearer-auth\.ts$/],
    [/^@lydell\/node-pty$/, /^exec-server\/server\//],
    [/^@modelcontextprotocol\/sdk\//, /^mcp\//],
    [/^@cfworker\/json-schema$/, /^tools\/input\/check(er)?\.ts$/],
    [/^picomatch$/, /^tools\/tool-filter\.ts$/],
    [/^minisearch$/, /^tools\/search\/tool-index\.ts$/],
    [/^@swc\/wasm-typescript$/, /^source\/strip-types\.ts$/],
    [/^acorn$/, /^source\//],
  ];
  for (const [name, place] of behind)
    assert.deepEqual(
      packageImports(name, (file) => place.test(file)),
      [],
    );
  const known = (target: string): boolean => isBuiltin(target) || behind.some(([name]) => name.test(target));
  const others = withImports.filter(({ source, target }) => inside(source, target) === undefined && !known(target));
  assert.deepEqual(
    others.map(({ source, target }) => `${source.file} → ${target}`),
    [],
  );
  const bare = withImports.filter(({ target }) => isBuiltin(target) && !target.startsWith('node:'));
  assert.deepEqual(bare, []);
});

test('no import goes in a circle', () => {
  const edges = new Map(
    sources.map((source) => [
      source.file,
      source.imports
        .filter(({ typeOnly }) => !typeOnly)
        .map(({ target }) => inside(source, target))
        .filter((file): file is string => file !== undefined),
    ]),
  );
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), [...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const { file } of sources) visit(file, []);
  assert.equal(done.size, sources.length);
});

test('files are short, and called by a noun or a verb', () => {
  const long = sources.filter(({ text }) => text.trimEnd().split('\n').length > 300).map(({ file }) => file);
  assert.deepEqual(long, []);
  const names = sources.map(({ file }) => file);
  assert.deepEqual(
    names.filter((file) => /(^|\/|-)(utils?|helpers?|common|misc)(\/|-|\.)/.test(file)),
    [],
  );
  assert.deepEqual(
    names.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(file)),
    [],
  );
});

test('no work is left for later in the source', () => {
  const marked = sources.filter(({ text }) => /\b(TODO|FIXME|XXX)\b(?!.*#\d)/.test(text)).map(({ file }) => file);
  assert.deepEqual(marked, []);
});

test('fixtures are tiny programs, import the protocol at most, and each has a test', () => {
  const names = filesUnder('host-fixtures');
  const fixtures = names.filter((name) => !name.includes('/'));
  assert.ok(fixtures.length >= 20, `${fixtures.length} fixtures`);
  const tests = ['test/e2e', 'test/statements'].flatMap((folder) =>
    filesUnder(folder).map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  for (const name of names) {
    const text = readFileSync(join(root, 'host-fixtures', name), 'utf8');
    for (const { target } of importsOf(text)) {
      assert.match(target, /^node:|^\.\/support\/v1\.mjs$|^\.\.\/\.\.\/dist\/protocol\.js$/, name);
    }
  }
  for (const name of fixtures) {
    const file = join(root, 'host-fixtures', name);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.match(name, /^[a-z0-9-]+\.mjs$/);
    assert.ok(lines.length <= 20, `${name}: ${lines.length} lines`);
    assert.equal(lines[0], '#!/usr/bin/env node', name);
    assert.match(lines[1] ?? '', /^\/\/ .*\.$/, `${name} says what it does`);
    assert.equal(statSync(file).mode & 0o100, 0o100, `${name} is executable`);
    const called = `'${name.replace('.mjs', '')}'`;
    assert.ok(
      tests.some((text) => text.includes(called)),
      `${name} is used by no test`,
    );
  }
});

test('no file names a folder of the machine it was written on', () => {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const top = spawnSync('git', ['rev-parse', '--show-toplevel'], { cwd: root, encoding: 'utf8' });
  // A package or a copy has no list of its own; then everything counts that is not made or fetched.
  const ours = listed.status === 0 && relative(top.stdout.trim(), root.replace(/\/$/, '')) === '';
  const files = ours
    ? listed.stdout.split('\0').filter((name) => name !== '' && isFile(join(root, name)))
    : ['src', 'test', 'bin', 'host-fixtures', 'examples', 'docs', 'bench'].flatMap((folder) =>
        statSync(join(root, folder), { throwIfNoEntry: false }) === undefined
          ? []
          : filesUnder(folder).map((name) => join(folder, name)),
      );
  assert.ok(files.length >= 50, `${files.length} files`);
  // Put together, so that this file does not name what it looks for.
  const places = ['work', 'root', 'home/[a-z]\\w*', 'Users/\\w+'].map((place) => `/${place}/`);
  const pattern = new RegExp(`(?<![\\w.$})\\]-])(${places.join('|')})|\\b[A-Z]:\\\\\\\\?Users\\\\`);
  const own = dirname(root.replace(/\/$/, ''));
  const found = files.filter((name) => {
    const text = readFileSync(join(root, name), 'latin1');
    return pattern.test(text) || (own.length > 5 && text.includes(`${own}/`));
  });
  assert.deepEqual(found, []);
});
