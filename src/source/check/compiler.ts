import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { CodemodeError } from '../../errors.js';
import { noCompilerText, oldCompilerText, unreadableCompilerText } from '../check-messages.js';

/** How the user's TypeScript is started. */
export interface Compiler {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The `tsc` that was named, else that of the `typescript` which a file in `from` would import, else that beside this
 * package. Throws `unsupported` where there is none, or one older than 5.5.
 */
export function findCompiler(compiler: string | undefined, from: string): Compiler {
  if (compiler !== undefined) return named(resolve(from, compiler));
  const manifest = findManifest(from);
  if (manifest === undefined) throw new CodemodeError('unsupported', noCompilerText(from), { data: { from } });
  const version = versionOf(manifest);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 5 || (major === 5 && minor < 5))
    throw new CodemodeError('unsupported', oldCompilerText(manifest, version), { data: { manifest, version } });
  return { program: process.execPath, args: [join(dirname(manifest), 'bin', 'tsc')] };
}

function findManifest(from: string): string | undefined {
  for (const place of [join(resolve(from), 'cell.js'), import.meta.url]) {
    try {
      return createRequire(place).resolve('typescript/package.json');
    } catch {
      // Then the next place.
    }
  }
  return undefined;
}

function versionOf(manifest: string): string {
  const about: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
  const version = typeof about === 'object' && about !== null && 'version' in about ? about.version : undefined;
  return typeof version === 'string' ? version : '0';
}

/** A script for Node is run by the Node that runs us: it may be the only one. */
function named(file: string): Compiler {
  const head = Buffer.alloc(80);
  try {
    const descriptor = openSync(file, 'r');
    readSync(descriptor, head);
    closeSync(descriptor);
  } catch (error) {
    throw new CodemodeError('unsupported', unreadableCompilerText(file), { cause: error, data: { compiler: file } });
  }
  const isScript = /^#!.*\bnode\b/.test(head.toString('latin1')) || /\.[cm]?js$/.test(file);
  return isScript ? { program: process.execPath, args: [file] } : { program: file, args: [] };
}
