// Makes dist/ from src/: each program one file, the library as ES modules, its types, and the licences of what is inside.
// Run by `npm run build`, and by npm itself as `prepare`; needs nothing but the devDependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What is in files of its own, by what it is imported as. */
const apart = new Map([
  ['./help.js', './help.cjs'],
  ['@swc/wasm-typescript', './strip.cjs'],
]);
/** Every file that ended up in a bundle, for the licences. */
const bundled = new Set();

/** @param {string} path */
const source = (path) => join(root, 'src', path);

/**
 * @param {Record<string, string> | string} input
 * @param {import('rolldown').OutputOptions} output
 * @param {Record<string, string>} [define]
 * @param {import('rolldown').InputOptions} [more]
 */
async function bundle(input, output, define = {}, more = {}) {
  const build = await rolldown({
    ...more,
    input,
    platform: 'node',
    cwd: root,
    plugins: [
      {
        name: 'apart',
        // Parsing yargs alone costs every start 12 ms, as some of its patterns wake up ICU; only `--help` needs it. The
        // stripper of types has 3.7 MB, which the commands and the library share.
        resolveId: (id) => (apart.has(id) ? { id: apart.get(id), external: true } : null),
      },
    ],
    tsconfig: false,
    transform: { target: 'node20.19', define: { CODEMODE_VERSION: JSON.stringify(version), ...define } },
    onLog(level, log, next) {
      // yargs asks for `import.meta.resolve` in a corner that we do not use; CommonJS has no such thing.
      if (log.code === 'EMPTY_IMPORT_META' && !log.message.includes(' src/')) return;
      next(level, log);
    },
  });
  const result = await build.generate({ minify: true, comments: false, ...output });
  await build.close();
  for (const chunk of result.output) {
    if (chunk.type !== 'chunk') throw new Error(`unexpected asset ${chunk.fileName}`);
    for (const id of chunk.moduleIds) bundled.add(id);
    const outside = [...chunk.imports, ...chunk.dynamicImports].filter(
      (name) =>
        ![...apart.values()].includes(name) &&
        !isBuiltin(name) &&
        !result.output.some((other) => other.fileName === name),
    );
    if (outside.length > 0) throw new Error(`${chunk.fileName} needs ${outside.join(', ')}, which would not be there`);
  }
  refuseCircles(result.output);
  return result.output;
}

/**
 * Two CommonJS files that require each other at their start see each other half done. It depends on the groups below.
 * @param {readonly import('rolldown').OutputChunk[]} chunks
 */
function refuseCircles(chunks) {
  const imports = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  for (const start of imports.keys()) {
    const reached = new Set(imports.get(start));
    for (const name of reached) for (const next of imports.get(name) ?? []) reached.add(next);
    if (reached.has(start)) throw new Error(`${start} requires itself, by way of ${[...reached].join(', ')}`);
  }
}

const { isBuiltin } = createRequire(import.meta.url)('node:module');
const written = new Set();

/** @param {readonly {fileName: string, code: string}[]} chunks */
function write(chunks) {
  for (const { fileName, code } of chunks) {
    const file = join(dist, fileName);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
    written.add(file);
  }
}

/**
 * One CommonJS file, which loads faster than an ES module.
 * @param {string} entry
 * @param {string} fileName
 * @param {Record<string, string>} [define]
 */
async function program(entry, fileName, define) {
  if (!existsSync(source(entry))) {
    console.warn(`build: skipped ${fileName}: src/${entry} is not there`);
    return;
  }
  // Modules are strict; a script has to say so. In a sloppy one a cell could walk from its caller to ours.
  const output = { format: 'cjs', file: join(dist, fileName), codeSplitting: false, banner: "'use strict';" };
  write(await bundle(source(entry), output, define));
}

/** As it came: it is one file already, the smaller part of which is code. */
function stripper() {
  const file = fileURLToPath(import.meta.resolve('@swc/wasm-typescript'));
  bundled.add(file);
  write([{ fileName: 'strip.cjs', code: readFileSync(file, 'utf8') }]);
}

/** The prelude runs inside a cell's context, as source text; its functions keep their names, which cells can see. */
async function preludeSource() {
  const entry = source('host/prelude/main.ts');
  if (!existsSync(entry)) return 'undefined';
  const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } };
  const [chunk] = await bundle(entry, { format: 'cjs', file: 'prelude.cjs', codeSplitting: false, minify });
  return JSON.stringify(chunk?.code);
}

/** Declarations of what the public entry points reach, which must not mention a package that users do not get. */
function types() {
  const config = join(root, 'build', 'tsconfig.types.json');
  mkdirSync(dirname(config), { recursive: true });
  const compilerOptions = {
    rootDir: '../src',
    outDir: '../dist/types',
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
  };
  const files = ['../src/index.ts', '../src/exec-server/index.ts', '../src/protocol/index.ts'];
  const all = {
    extends: '../tsconfig.json',
    compilerOptions: { ...compilerOptions, sourceMap: false },
    files,
    include: [],
  };
  writeFileSync(config, JSON.stringify(all));
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace('package.json', 'bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', config], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the types do not compile');
  const reached = reachedTypes(['index.d.ts', 'exec-server/index.d.ts', 'protocol/index.d.ts']);
  for (const file of filesUnder(join(dist, 'types'))) if (!reached.has(file)) rmSync(file);
  for (const file of reached) {
    const [, foreign] = /(?:from|import\()\s*['"](?!\.|node:)([^'"]+)['"]/.exec(readFileSync(file, 'utf8')) ?? [];
    if (foreign !== undefined) throw new Error(`${relative(root, file)} needs the types of ${foreign}`);
  }
}

const mitText = `MIT License

Copyright (c) <author>

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The licence texts of every package of which code is in a bundle. */
function licences() {
  const packages = new Map();
  for (const id of bundled) {
    const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id.replace(/^\0/, '')) ?? [];
    if (folder !== undefined) packages.set(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  }
  const sections = [...packages].map(([folder, about]) => {
    const texts = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
    const body = texts.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n') || usualText(about);
    return `${about.name} ${about.version} (${about.license})\n\n${body}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  const intro = 'The programs in this folder contain code of these packages.\n';
  write([{ fileName: 'THIRD_PARTY_LICENSES.txt', code: [intro, ...sections.sort()].join(line) }]);
}

/** The compiler declares whatever it has compiled; users get what the entry points lead to. */
function reachedTypes(/** @type {readonly string[]} */ entries) {
  const reached = new Set(entries.map((entry) => join(dist, 'types', entry)));
  for (const file of reached) {
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g)) {
      reached.add(resolve(dirname(file), `${target}.d.ts`));
    }
  }
  return reached;
}

/** Some packages name their licence and forget its text. */
function usualText(/** @type {{name: string, license: string, author?: string | {name: string}}} */ about) {
  const author = typeof about.author === 'object' ? about.author.name : about.author;
  if (about.license !== 'MIT' || author === undefined) throw new Error(`${about.name} comes without a licence text`);
  return mitText.replace('<author>', author.replace(/ <.*/, ''));
}

/** @param {string} folder @returns {string[]} */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name));
}

rmSync(join(dist, 'types'), { recursive: true, force: true });
// What a plain run does not need is in a file of its own, which is loaded when it is asked for.
const execServer =
  /[\\/](src[\\/](exec-server|cli[\\/]exec-server|tools[\\/]exec[\\/])|node_modules[\\/](ws|jose)[\\/])/;
write(
  await bundle(
    { cli: source('cli/main.ts') },
    {
      format: 'cjs',
      dir: dist,
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'exec-server', test: execServer }] },
    },
    {},
    { preserveEntrySignatures: false },
  ),
);
await program('cli/help.ts', 'help.cjs');
stripper();
await program('host/main.ts', 'host.cjs');
await program('host/runner/main.ts', 'runner.cjs', { PRELUDE_SOURCE: await preludeSource() });
write(
  await bundle(
    {
      index: source('index.ts'),
      'exec-server': source('exec-server/index.ts'),
      protocol: source('protocol/index.ts'),
    },
    { format: 'es', dir: dist, chunkFileNames: 'shared/[name]-[hash].js', minify: false },
  ),
);
types();
licences();
// Written over rather than emptied first, so that a build does not pull the programs away under a running test.
for (const file of filesUnder(dist)) if (!written.has(file) && !file.startsWith(join(dist, 'types'))) rmSync(file);
