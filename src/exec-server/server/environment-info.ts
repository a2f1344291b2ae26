import { createHash } from 'node:crypto';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { basename } from 'node:path';
import type { EnvironmentInfo } from '../wire/index.js';
import type { Environment } from './environment-policy.js';
import { uriFromPath } from './path-uri.js';

/** Only what is done here; what is not named, clients do not ask for. */
const capabilities = { processResize: true, processWriteEof: true, processOutputGaps: true };

export function describeEnvironment(environment: Environment, version: string): EnvironmentInfo {
  const shell = shellOf(environment);
  return {
    shell: { name: basename(shell).replace(/\.exe$/i, ''), path: shell },
    executorVersion: version,
    providerId: `sha256:${createHash('sha256').update(`codemode-run ${hostname()}`).digest('hex')}`,
    cwd: uriFromPath(currentFolder()),
    userHomeDir: uriFromPath(homedir()),
    platformOs: process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'macos' : process.platform,
    prependPathDirs: [],
    temporaryDirectories: [],
    tempDir: uriFromPath(tmpdir()),
    capabilities,
  };
}

function shellOf(environment: Environment): string {
  if (process.platform === 'win32') return environment.COMSPEC ?? 'cmd.exe';
  return ofUser() ?? environment.SHELL ?? '/bin/sh';
}

/** Accounts of services have one of these for a shell, which runs nothing. */
const refusing: ReadonlySet<string> = new Set(['nologin', 'false', 'true', '']);

/** What the user database says; a container may have a user that is not in it. */
function ofUser(): string | undefined {
  try {
    const { shell } = userInfo();
    return shell === null || refusing.has(basename(shell)) ? undefined : shell;
  } catch {
    return undefined;
  }
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
