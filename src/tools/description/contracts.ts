import { DEFAULT_OUTPUT_TOKENS, DEFAULT_YIELD_MS } from '../../protocol/limits.js';
import { introduction, waitText } from './texts.js';

/** A tool whose input is a text that the model writes as it is. `definition` is a grammar in the language of Lark. */
export interface FreeformContract {
  readonly kind: 'freeform';
  readonly name: string;
  readonly description: string;
  readonly format: { readonly type: 'grammar'; readonly syntax: 'lark'; readonly definition: string };
}

/** A tool whose input is an object that fits a JSON Schema. */
export interface FunctionContract {
  readonly kind: 'function';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/**
 * `exec` as a harness registers it with its model, without a word about tools: take the description from `describe`. A
 * line for the settings, if there is one, comes first.
 */
export const execTool: FreeformContract = {
  kind: 'freeform',
  name: 'exec',
  description: introduction,
  format: {
    type: 'grammar',
    syntax: 'lark',
    definition: [
      'start: settings source | source',
      'settings: SETTINGS NEWLINE',
      'source: SOURCE',
      'SETTINGS: /[ \\t]*\\/\\/ @exec:[^\\r\\n]*/',
      'NEWLINE: /\\r?\\n/',
      'SOURCE: /[\\s\\S]+/',
    ].join('\n'),
  },
};

export const waitTool: FunctionContract = {
  kind: 'function',
  name: 'wait',
  description: waitText,
  inputSchema: {
    type: 'object',
    properties: {
      cell_id: { type: 'string', description: 'The ID that `exec` gave for the cell that still runs.' },
      yield_time_ms: {
        type: 'integer',
        minimum: 0,
        default: DEFAULT_YIELD_MS,
        description: 'How many milliseconds to wait for more before coming back.',
      },
      max_tokens: {
        type: 'integer',
        minimum: 0,
        default: DEFAULT_OUTPUT_TOKENS,
        description: 'How much output may come back, in tokens; the middle of more is cut out.',
      },
      terminate: { type: 'boolean', default: false, description: 'End the cell instead of waiting for it.' },
    },
    required: ['cell_id'],
    additionalProperties: false,
  },
};
