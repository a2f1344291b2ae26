import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killMarked, MARK, markedProcesses } from '../../support/marked-processes.js';

const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));
const flags = [
  '--noEmit',
  '--strict',
  '--lib',
  'es2023',
  '--types',
  '',
  '--skipLibCheck',
  'false',
  '--pretty',
  'false',
];

/**
 * What the real compiler says of some files, by name: one line each complaint. Files with nothing to complain about have
 * no entry. Compiler and folder are gone when this returns.
 */
export function complaints(
  files: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Map<string, string[]> {
  if (Object.keys(files).length === 0) return new Map();
  const mark = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    writeFileSync(
      join(folder, 'files.txt'),
      [...flags, ...more, ...Object.keys(files)].map((word) => `"${word}"`).join('\n'),
    );
    const run = spawnSync(process.execPath, [compiler, '@files.txt'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, [MARK]: mark },
      maxBuffer: 2 ** 28,
      timeout: 120_000,
      killSignal: 'SIGKILL',
    });
    const left = markedProcesses(mark);
    if (left.length > 0) throw new Error(`left running: ${JSON.stringify(left)}`);
    if (run.error !== undefined) throw run.error;
    const found = new Map<string, string[]>();
    for (const line of run.stdout.split('\n')) {
      const name = /^([^\s(]+)\(\d+,\d+\): error/.exec(line)?.[1];
      if (name !== undefined) found.set(name, [...(found.get(name) ?? []), line]);
    }
    if ((run.status === 0) !== (found.size === 0)) throw new Error(`tsc: ${run.status}\n${run.stdout}\n${run.stderr}`);
    return found;
  } finally {
    killMarked(mark);
    rmSync(folder, { recursive: true, force: true });
  }
}
