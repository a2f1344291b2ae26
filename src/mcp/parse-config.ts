import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CodemodeError } from '../errors.js';
import { isText, needArgument } from '../names/argument.js';
import { fileProblem } from '../names/file-problem.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import { ConfigEntry } from './config-entry.js';
import { jsonFault } from './json-fault.js';
import { configProblems, configText, noServersText, notJsonText, unreadableText } from './messages.js';
import type { McpServerConfig } from './server-config.js';
import { type Fields, isRecord } from './value.js';

export interface ConfigOptions {
  /** What errors call the file. */
  readonly file: string;
  /** Where relative `cwd`s begin. */
  readonly folder: string;
  /** Where `${NAME}` is looked up. Default: that of this process, as it is for `McpServers.connect`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

const known: OptionNames<ConfigOptions> = { file: true, folder: true, environment: true };

const stdioTypes = ['stdio'];
const httpTypes = ['http', 'streamable-http', 'streamableHttp'];

/**
 * The servers of `{"mcpServers": {name: {command, args?, env?, cwd?, type?: "stdio"} | {url, headers?, type?: "http"}}}`,
 * but for those that are `disabled`. `${NAME}` and `${NAME:-default}` are replaced in every value. Fields that others
 * read (`autoApprove`, `timeout`, …) are ignored. Throws `invalid-argument` with file, server and field.
 */
export function parseMcpConfig(text: string, options: ConfigOptions): McpServerConfig[] {
  checkOptionNames('parseMcpConfig', options, known);
  needArgument('parseMcpConfig', 'text', text, isText, 'a string');
  const { file } = options;
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  const fault = jsonFault(json);
  if (fault !== undefined) {
    const { line, column } = fault;
    throw new CodemodeError('invalid-argument', notJsonText(file, fault), { data: { file, line, column } });
  }
  const document: unknown = JSON.parse(json);
  const servers = isRecord(document) ? document.mcpServers : undefined;
  if (!isRecord(servers)) {
    const known = isRecord(document) ? Object.keys(document) : [];
    throw new CodemodeError('invalid-argument', noServersText(file, known, servers), {
      data: { file, server: null, field: 'mcpServers' },
    });
  }
  return Object.entries(servers).flatMap(([name, entry]) => serverOf(name, entry, options) ?? []);
}

/** Reads and parses a file; its folder is where relative `cwd`s begin. The default of `environment` is that of this process. */
export async function loadMcpConfig(
  file: string,
  options: { readonly cwd?: string | undefined; readonly environment?: ConfigOptions['environment'] } = {},
): Promise<McpServerConfig[]> {
  checkOptionNames('loadMcpConfig', options, { cwd: true, environment: true });
  needArgument('loadMcpConfig', 'file', file, isText, 'a string');
  const path = resolve(options.cwd ?? '.', file);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const message = unreadableText(file, fileProblem(file, path, error));
    throw new CodemodeError('invalid-argument', message, { cause: error, data: { file } });
  }
  return parseMcpConfig(text, { file, folder: dirname(path), environment: options.environment });
}

function serverOf(name: string, value: unknown, options: ConfigOptions): McpServerConfig | undefined {
  const refuse = (field: string | null, problem: string): CodemodeError =>
    new CodemodeError('invalid-argument', configText(options.file, name, field, problem), {
      data: { file: options.file, server: name, field },
    });
  if (name.trim() === '') throw refuse(null, configProblems.emptyName);
  if (!isRecord(value)) throw refuse(null, configProblems.notServer);
  if (value.disabled === true) return undefined;
  const entry = new ConfigEntry(value, options.environment, refuse);
  if (kindOf(value, refuse) === 'http') {
    return { name, kind: 'http', url: entry.url('url'), headers: entry.headers('headers') };
  }
  const cwd = entry.optionalText('cwd');
  return {
    name,
    kind: 'stdio',
    command: entry.text('command'),
    args: entry.texts('args'),
    env: entry.variables('env'),
    ...(cwd === undefined ? {} : { cwd: resolve(options.folder, cwd) }),
  };
}

function kindOf(
  { command, url, type }: Fields,
  refuse: (field: string | null, problem: string) => CodemodeError,
): McpServerConfig['kind'] {
  if (command !== undefined && url !== undefined) {
    throw refuse('url', configProblems.both);
  }
  if (type === 'sse') {
    throw refuse('type', configProblems.sse);
  }
  if (command === undefined && url === undefined) throw refuse(null, configProblems.neither);
  const types = url === undefined ? stdioTypes : httpTypes;
  if (type !== undefined && !types.some((known) => known === type)) {
    throw refuse('type', configProblems.type(url === undefined ? 'command' : 'url', type));
  }
  return url === undefined ? 'stdio' : 'http';
}
