import {
  type Check,
  flagWords,
  isFlag,
  isLimit,
  isText,
  isTexts,
  limitWords,
  maybeArgument,
  needArgument,
} from '../names/argument.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import type { CheckOptions } from './check-cell.js';
import { modeWords } from './messages.js';
import type { PrepareOptions } from './prepare-cell.js';

/** What a cell is called that nobody gave a name. */
export const CELL_LABEL = '[cell]';

const modes: readonly unknown[] = ['off', 'report', 'fix'];

const knownOfPrepare: OptionNames<PrepareOptions> = {
  label: true,
  typescript: true,
  preflight: true,
  tools: true,
  commandTool: true,
};
const knownOfCheck: OptionNames<CheckOptions> = {
  declarations: true,
  compiler: true,
  from: true,
  environment: true,
  signal: true,
  timeoutMs: true,
};

export function checkStripArguments(source: unknown, options: unknown): void {
  checkOptionNames('stripTypes', options, { label: true });
  checkLabelled('stripTypes', source, options);
}

function checkLabelled(call: string, source: unknown, options: unknown): void {
  needArgument(call, 'source', source, isText, 'a string');
  maybeArgument(call, 'label', fieldsOf(options).label, isText, 'a string');
}

export function checkPrepareArguments(source: unknown, options: unknown): void {
  const call = 'prepareCell';
  checkOptionNames(call, options, knownOfPrepare);
  checkLabelled(call, source, options);
  const { typescript, preflight, tools, commandTool } = fieldsOf(options);
  maybeArgument(call, 'typescript', typescript, isFlag, flagWords);
  maybeArgument(call, 'preflight', preflight, isMode, modeWords);
  maybeArgument(call, 'tools', tools, isTexts, 'an array of strings');
  maybeArgument(call, 'commandTool', commandTool, isText, 'a string');
}

export function checkCheckArguments(cells: unknown, options: unknown): void {
  const call = 'checkCells';
  needArgument(call, 'cells', cells, Array.isArray, 'an array');
  for (const [index, cell] of (cells as readonly unknown[]).entries()) {
    const place = `cells[${index}]`;
    checkOptionNames(call, cell, { source: true, label: true }, place);
    const { source, label } = fieldsOf(cell);
    needArgument(call, `${place}.source`, source, isText, 'a string');
    needArgument(call, `${place}.label`, label, isText, 'a string');
  }
  // `checkCell` has the label of its cell among them.
  checkOptionNames(call, options, { ...knownOfCheck, label: true });
  const { declarations, compiler, from, environment, timeoutMs } = fieldsOf(options);
  needArgument(call, 'declarations', declarations, isText, 'a string');
  maybeArgument(call, 'compiler', compiler, isText, 'a string');
  needArgument(call, 'from', from, isText, 'a string');
  needArgument(call, 'environment', environment, isVariables, 'an object of strings');
  maybeArgument(call, 'timeoutMs', timeoutMs, isLimit, limitWords);
}

/** Of what `checkOptionNames` has let pass. */
const fieldsOf = (value: unknown): { readonly [name: string]: unknown } => Object(value);

const isMode: Check = (value) => modes.includes(value);
const isVariables: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isTexts(Object.values(value));
