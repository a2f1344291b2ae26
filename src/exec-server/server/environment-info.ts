import { createHash } from 'node:crypto';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { basename } from 'node:path';
import type { EnvironmentInfo } from '../wire/index.js';
import type { Environment } from './environment-policy.js';
import { uriFromPath } from './path-uri.js';

/** Only what is done here; what is not named, clients do not ask for. */
const capabilities = { processResize: true, processWriteEof: true, processOutputGaps: true };

/** `userShell`: what the user database says, if it says anything. */
export function describeEnvironment(
  environment: Environment,
  version: string,
  userShell: string | null = shellOfUser(),
): EnvironmentInfo {
  const shell = shellOf(environment, userShell);
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

function shellOf(environment: Environment, userShell: string | null): string {
  if (process.platform === 'win32') return environment.COMSPEC ?? 'cmd.exe';
  // Service managers copy what the database says into the variable.
  return [userShell, environment.SHELL].find(runsCommands) ?? '/bin/sh';
}

/** Accounts of services have one of these for a shell, which runs nothing. */
const refusing: ReadonlySet<string> = new Set(['nologin', 'false', 'true', '']);

const runsCommands = (shell: string | null | undefined): shell is string =>
  typeof shell === 'string' && !refusing.has(basename(shell));

/** A container may have a user that is not in the database. */
function shellOfUser(): string | null {
  try {
    return userInfo().shell;
  } catch {
    return null;
  }
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
