import type { ExecServerClient } from '../../exec-server/client/index.js';
import { isFunction, isText, needArgument } from '../../names/argument.js';
import { checkOptionNames } from '../../names/option-names.js';
import { COMMAND_TOOL } from '../command-tool.js';
import type { Tool, ToolContext } from '../tool.js';
import { noteOrigin } from '../tool-origin.js';
import { isAbsolutePath } from './absolute-path.js';
import { ExecCommands } from './commands.js';
import { plainly } from './failure.js';
import { ExecFiles } from './files.js';
import { Fields, flagSchema, numberSchema, refused, schema, textSchema } from './input.js';
import { execLimits } from './limits.js';
import { clientWords, relativeCwdText } from './messages.js';
import { results } from './results.js';

export interface ExecToolsOptions {
  /** Where commands run and relative paths begin: an absolute path, or a `file:` URL, on the machine of the server. */
  readonly cwd: string;
}

/**
 * The tools with which cells run commands and use files, through an exec-server. Throws `invalid-argument` for a `cwd` that is
 * not absolute.
 */
export function execTools(client: ExecServerClient, options: ExecToolsOptions): Tool[] {
  checkOptionNames('commandTools', options, { cwd: true });
  needArgument('commandTools', 'cwd', options.cwd, isText, 'a string');
  if (!isAbsolutePath(options.cwd)) throw refused(relativeCwdText(options.cwd));
  needArgument('commandTools', 'client', Object(client).start, isFunction, clientWords);
  const commands = new ExecCommands(client, options);
  const files = new ExecFiles(client, options);
  const output = {
    yield_time_ms: numberSchema(
      'How long to wait for the end before the command goes on in the background',
      execLimits.yieldMs,
    ),
    max_output_bytes: numberSchema('Of longer output the middle is left out', execLimits.outputBytes),
  };
  const tools: Tool[] = [
    {
      name: COMMAND_TOOL,
      description:
        'Runs a shell command. Gives {output, total_bytes, omitted_bytes, exit_code}; for one that still runs, exit_code is null and session_id is for write_stdin.',
      outputSchema: results.command,
      ...taking(
        ['cmd'],
        {
          cmd: textSchema('Shell command'),
          workdir: textSchema('Working directory'),
          shell: textSchema("Shell program; default: the user's"),
          login: flagSchema('Run the shell as a login shell'),
          tty: flagSchema('Give the command a terminal'),
          stdin: flagSchema('Keep stdin open for write_stdin; a terminal always does'),
          env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Additional variables' },
          ...output,
        },
        (fields, context) => commands.run(fields, context),
      ),
    },
    {
      name: 'write_stdin',
      description:
        'Writes to a running command (nothing: only waits) and gives what it has printed since. "\\u0003" interrupts it.',
      outputSchema: results.command,
      ...taking(
        ['session_id'],
        {
          session_id: { type: 'integer', minimum: 1, description: 'From exec_command' },
          chars: textSchema('What to write'),
          eof: flagSchema('Close stdin afterwards'),
          terminate: flagSchema('Kill the command instead'),
          ...output,
        },
        (fields, context) => commands.writeStdin(fields, context),
      ),
    },
    {
      name: 'read_file',
      description: 'Reads a file, or a part of one. Gives {content, bytes, total_bytes, eof}.',
      outputSchema: results.read,
      ...taking(
        ['path'],
        {
          path: textSchema('Absolute, or relative to the working directory'),
          encoding: { type: 'string', enum: ['utf8', 'base64'], description: 'Default: utf8' },
          offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Byte to begin with' },
          max_bytes: numberSchema('At most this many bytes', execLimits.fileBytes),
        },
        (fields, context) => files.read(fields, context),
      ),
    },
    {
      name: 'write_file',
      description: 'Makes a file, or replaces what is in it. Gives {bytes}.',
      outputSchema: results.written,
      ...taking(
        ['path', 'content'],
        {
          path: textSchema('Absolute, or relative to the working directory'),
          content: textSchema('All of it'),
          encoding: { type: 'string', enum: ['utf8', 'base64'], description: 'Of content; default: utf8' },
          create_parents: flagSchema('Make the directories on the way'),
        },
        (fields, context) => files.write(fields, context),
      ),
    },
    {
      name: 'list_dir',
      description: 'Lists a directory by name. Gives {entries: [{name, kind}], total, truncated}.',
      outputSchema: results.listed,
      ...taking(
        ['path'],
        {
          path: textSchema('Absolute, or relative to the working directory'),
          max_entries: numberSchema('At most this many', execLimits.entries),
        },
        (fields, context) => files.list(fields, context),
      ),
    },
  ];
  for (const tool of tools) noteOrigin(tool, 'the exec tools');
  return tools;
}

function taking(
  required: readonly string[],
  properties: Readonly<Record<string, object>>,
  handle: (input: Fields, context: ToolContext) => Promise<unknown>,
): Pick<Tool, 'inputSchema' | 'handler'> {
  return {
    inputSchema: schema(required, properties),
    handler: async (input, context) => {
      try {
        return await handle(new Fields(input), context);
      } catch (error) {
        throw plainly(error);
      }
    },
  };
}
