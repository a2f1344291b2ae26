// `npm run peers`: fetches the real Codex programs, which some tests run against, into .peers/ (which git ignores). Plain
// Node, so that it also works before anything is built. Does nothing when they are there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '0.171.0';
const programs = ['codex', 'codex-code-mode-host'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const peers = join(root, '.peers');
const folder = join(peers, version);

/** @param {string} command @param {readonly string[]} args @param {string} [cwd] */
function run(command, args, cwd = root) {
  const { error, status, signal, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw new Error(`${command} did not start: ${error.message}`);
  if (status === 0) return stdout.trim();
  const [why = `ended with ${signal ?? status}`] = stderr.split('\n').filter((line) => /error/i.test(line));
  throw new Error(`${command} ${args[0]} failed: ${why.trim()}`);
}

/** Unpacks beside the place where the programs belong, so that a fetch that breaks off leaves nothing there. */
function fetchPrograms() {
  mkdirSync(peers, { recursive: true });
  const work = mkdtempSync(join(peers, 'fetch-'));
  try {
    const name = `@openai/codex@${version}-linux-x64`;
    run('npm', ['pack', name, '--ignore-scripts', '--loglevel=error', '--pack-destination', work]);
    const [archive] = readdirSync(work).filter((file) => file.endsWith('.tgz'));
    if (archive === undefined) throw new Error(`npm pack left no archive of ${name}`);
    run('tar', ['-xzf', archive], work);
    const files = readdirSync(work, { recursive: true, encoding: 'utf8' });
    mkdirSync(join(work, 'programs'));
    for (const program of programs) {
      const file = files.find((path) => path.includes(`vendor${sep}`) && path.endsWith(`${sep}bin${sep}${program}`));
      if (file === undefined) throw new Error(`${name} has no program ${program}`);
      renameSync(join(work, file), join(work, 'programs', program));
    }
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(join(work, 'programs'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

try {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`these programs are for Linux on x64, and this is ${process.platform} on ${process.arch}`);
  }
  if (programs.every((program) => existsSync(join(folder, program)))) {
    console.log(`peers: ${relative(root, folder)} is complete`);
  } else {
    fetchPrograms();
    console.log(`peers: fetched ${programs.join(' and ')} ${version} into ${relative(root, folder)}`);
  }
} catch (error) {
  console.error(`peers: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
