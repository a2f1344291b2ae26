import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// Starts Node's test runner on every test file, or on those whose path contains one of the words given. Node 20 takes no
// patterns. Arguments that begin with a dash go to the test runner.

const root = dirname(fileURLToPath(import.meta.url));
const given = process.argv.slice(2);
const flags = given.filter((argument) => argument.startsWith('-'));
const words = given.filter((argument) => !argument.startsWith('-'));

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  // What was compiled from a test that has gone since is not run.
  .filter((file) => existsSync(join(root, '../../test', file.replace(/js$/, 'ts'))))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .map((file) => relative(process.cwd(), join(root, file)))
  .sort();

if (files.length === 0) {
  console.error(`no test file matches ${words.join(' ') || '*.test.js'}`);
  process.exit(1);
}

// A test that hangs must fail, not stop the build (Node applies this limit to a whole file); two files at a time, as some
// measure time.
const settings = ['--test', '--test-concurrency=2', '--test-timeout=180000', '--enable-source-maps'];

// The login shells that some tests start read the start-up files of whoever runs them, which may print, wait or fail: the
// tests are at home in an empty folder.
const place = mkdtempSync(join(tmpdir(), 'codemode-test-'));
const [home, temporary] = [join(place, 'home'), join(place, 'tmp')];
for (const folder of [home, temporary]) mkdirSync(folder);
const { BASH_ENV: _bash, ENV: _sh, ZDOTDIR: _zsh, ...environment } = process.env;
const env = { ...environment, HOME: home, TMPDIR: temporary };

const child = spawn(process.execPath, [...settings, ...flags, ...files], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('close', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 130);
  const left = [home, temporary].flatMap((folder) => readdirSync(folder));
  rmSync(place, { recursive: true, force: true });
  if (left.length === 0 || process.exitCode !== 0) return; // what failed may have left something
  console.error(`the tests left files behind in their home or their temporary folder: ${left.slice(0, 10).join(', ')}`);
  process.exitCode = 1;
});
