import { CodemodeError } from '../errors.js';
import { isLaunchContext, looksSecret, posixNames, posixPrefix, windowsNames } from './environment-names.js';
import { invalidVariableText } from './messages.js';

export interface EnvironmentOptions {
  /** Pass on everything but the launch context of Codex and what looks like a secret. Default: the allow-list only. */
  readonly inherit?: boolean;
  /** Additions, secrets too; an undefined value is taken over from `source`. */
  readonly set?: Readonly<Record<string, string | undefined>>;
  /** Default: the environment of this process. */
  readonly source?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
}

/**
 * The environment of a host. A program that model-written code can reach gets what it needs, not what we happen to have.
 * The result has no prototype, so that nothing planted on `Object.prototype` reaches `spawn`, which reads with for-in.
 */
export function hostEnvironment(options: EnvironmentOptions): Record<string, string> {
  const source = options.source ?? process.env;
  const windows = (options.platform ?? process.platform) === 'win32';
  const result: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined) continue;
    if (options.inherit === true ? !looksSecret(name, value) : isAllowed(name, windows)) result[name] = value;
  }
  for (const [name, given] of Object.entries(options.set ?? {})) {
    if (!isUsableName(name)) throw new CodemodeError('invalid-argument', invalidVariableText(name), { data: { name } });
    const value = given ?? find(source, name, windows);
    if (value === undefined) continue;
    if (windows) removeOtherSpellings(result, name);
    result[name] = value;
  }
  // Last, so that no addition brings a name back.
  for (const name of Object.keys(result)) if (isLaunchContext(name)) delete result[name];
  return result;
}

const isUsableName = (name: string): boolean => name !== '' && !/[=\0]/.test(name);

function isAllowed(name: string, windows: boolean): boolean {
  const wanted = windows ? name.toUpperCase() : name;
  const names: readonly string[] = windows ? windowsNames : posixNames;
  return names.includes(wanted) || wanted.startsWith(posixPrefix);
}

function find(source: NodeJS.ProcessEnv, name: string, windows: boolean): string | undefined {
  if (Object.hasOwn(source, name)) return source[name];
  if (!windows) return undefined;
  const other = Object.keys(source).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return other === undefined ? undefined : source[other];
}

function removeOtherSpellings(target: Record<string, string>, name: string): void {
  for (const other of Object.keys(target)) if (other.toUpperCase() === name.toUpperCase()) delete target[other];
}
