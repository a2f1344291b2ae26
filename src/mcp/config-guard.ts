import { CodemodeError } from '../errors.js';
import { configProblems, givenConfigText, noConfigsText, twiceText } from './messages.js';
import type { McpServerConfig } from './server-config.js';
import { type Fields, isRecord } from './value.js';

/** Checks configurations that may have been written by hand, in JavaScript. Values may be secrets, so no error shows one. */
export function checkConfigs(configs: unknown): asserts configs is readonly McpServerConfig[] {
  if (!Array.isArray(configs)) throw new CodemodeError('invalid-argument', noConfigsText(configs));
  const seen = new Set<string>();
  for (const [index, config] of (configs as readonly unknown[]).entries()) {
    const name = checkConfig(config, index);
    if (seen.has(name)) throw new CodemodeError('invalid-argument', twiceText(name), { data: { server: name } });
    seen.add(name);
  }
}

function checkConfig(config: unknown, index: number): string {
  const refuse = (server: string | null, field: string | null, problem: string): CodemodeError =>
    new CodemodeError('invalid-argument', givenConfigText(server ?? index, field, problem), {
      data: { server, index, field },
    });
  if (!isRecord(config)) throw refuse(null, null, configProblems.notObject(config));
  const { name, kind } = config;
  if (typeof name !== 'string') throw refuse(null, 'name', configProblems.notString(name));
  if (name.trim() === '') throw refuse(null, 'name', configProblems.empty);
  if (kind !== 'stdio' && kind !== 'http') throw refuse(name, 'kind', configProblems.kind(kind));
  const problem = kind === 'stdio' ? stdioProblem(config) : httpProblem(config);
  if (problem !== undefined) throw refuse(name, ...problem);
  return name;
}

type Problem = readonly [field: string, problem: string];

function stdioProblem({ command, args, env, cwd }: Fields): Problem | undefined {
  if (typeof command !== 'string') return ['command', configProblems.notString(command)];
  if (command.trim() === '') return ['command', configProblems.empty];
  if (!isTexts(args)) return ['args', configProblems.notStrings(args)];
  if (!isTextMap(env)) return ['env', configProblems.notStringMap(env)];
  return cwd === undefined || typeof cwd === 'string' ? undefined : ['cwd', configProblems.notString(cwd)];
}

function httpProblem({ url, headers }: Fields): Problem | undefined {
  if (typeof url !== 'string') return ['url', configProblems.notString(url)];
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  if (!['http:', 'https:'].includes(protocol)) return ['url', configProblems.address];
  return isTextMap(headers) ? undefined : ['headers', configProblems.notStringMap(headers)];
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isTextMap = (value: unknown): boolean => isRecord(value) && isTexts(Object.values(value));
