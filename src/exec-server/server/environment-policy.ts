import { type EnvironmentPolicy, RpcError, rpcCodes } from '../wire/index.js';
import { costlyPatternsText } from './messages.js';

/** Some 100 ms. A long policy against a large environment needs a hundredth. */
const MAX_STEPS = 10_000_000;

/** What a shell needs to be itself; the inherited set of `core`. */
const coreNames: ReadonlySet<string> = new Set([
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'USER',
]);
const coreWindowsNames: ReadonlySet<string> = new Set([
  ...coreNames,
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]);

const secretWords = ['*KEY*', '*SECRET*', '*TOKEN*'];

/** Never handed down: a child would take our own parent for its own. */
const privateNames = ['CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE'];

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a process: exactly `env`, or what the policy makes of ours with `env` laid over it. */
export function childEnvironment(
  own: Environment,
  policy: EnvironmentPolicy | null | undefined,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  if (policy !== null && policy !== undefined) Object.assign(result, fromPolicy(own, policy));
  Object.assign(result, env);
  for (const name of privateNames) delete result[name];
  return result;
}

function fromPolicy(own: Environment, policy: EnvironmentPolicy): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  refuseCostly(own, policy);
  const excluded = anyOf([...policy.exclude, ...(policy.ignoreDefaultExcludes ? [] : secretWords)]);
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && isInherited(name, policy.inherit) && !excluded(name)) result[name] = value;
  }
  Object.assign(result, policy.set);
  if (policy.includeOnly.length === 0) return result;
  const wanted = anyOf(policy.includeOnly);
  for (const name of Object.keys(result)) if (!wanted(name)) delete result[name];
  return result;
}

/** A pattern is walked once per letter of a name at worst, and nobody else is served meanwhile. */
function refuseCostly(own: Environment, { exclude, includeOnly, set }: EnvironmentPolicy): void {
  const letters = (texts: readonly string[]): number => texts.reduce((total, text) => total + text.length + 1, 0);
  const names = letters(Object.keys(own)) + letters(Object.keys(set));
  if (names * letters([...exclude, ...includeOnly]) > MAX_STEPS) {
    throw new RpcError(rpcCodes.invalidParams, costlyPatternsText);
  }
}

function isInherited(name: string, inherit: EnvironmentPolicy['inherit']): boolean {
  if (inherit !== 'core') return inherit === 'all';
  return process.platform === 'win32' ? coreWindowsNames.has(name.toUpperCase()) : coreNames.has(name);
}

/** Whether a name matches one of the globs, in whatever case. */
function anyOf(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.map(globTest);
  return (name) => tests.some((test) => test(name));
}

/** `*`, `?` and `[…]`. Matched step by step: as a regular expression a row of stars could take for ever. */
function globTest(pattern: string): (name: string) => boolean {
  const steps = stepsOf(pattern.toUpperCase());
  return (name) => matches(steps, [...name.toUpperCase()]);
}

type Step = 'any' | ((character: string) => boolean);

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const close = character === '[' ? characters.indexOf(']', at + 2) : -1;
    if (character === '*') steps.push('any');
    else if (character === '?') steps.push(() => true);
    else if (close !== -1) {
      steps.push(setTest(characters.slice(at + 1, close)));
      at = close;
    } else steps.push((other) => other === character);
  }
  return steps;
}

function setTest(members: readonly string[]): (character: string) => boolean {
  const negated = members[0] === '!' || members[0] === '^';
  const rest = negated ? members.slice(1) : members;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const from = rest[at] ?? '';
    const isRange = rest[at + 1] === '-' && at + 2 < rest.length;
    ranges.push([from, isRange ? (rest[at + 2] ?? '') : from]);
    if (isRange) at += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negated;
}

/** The usual walk: on a mismatch the last star takes one character more. */
function matches(steps: readonly Step[], name: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const wanted = steps[step];
    if (wanted === 'any') {
      star = step;
      starAt = at;
      step += 1;
    } else if (wanted?.(name[at] ?? '')) {
      step += 1;
      at += 1;
    } else if (star !== -1) {
      step = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  while (steps[step] === 'any') step += 1;
  return step === steps.length;
}
