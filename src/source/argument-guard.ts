import { CodemodeError } from '../errors.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import type { CheckOptions } from './check-cell.js';
import { argumentText } from './messages.js';
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
  checkLabel(source, options);
  checkOptionNames('stripTypes', options, { label: true });
}

function checkLabel(source: unknown, options: unknown): void {
  need('source', isText, 'a string', source);
  maybe('label', isText, 'a string', fieldsOf('options', options).label);
}

export function checkPrepareArguments(source: unknown, options: unknown): void {
  checkLabel(source, options);
  checkOptionNames('prepareCell', options, knownOfPrepare);
  const { typescript, preflight, tools, commandTool } = fieldsOf('options', options);
  maybe('typescript', (value) => typeof value === 'boolean', 'a boolean', typescript);
  maybe('preflight', (value) => modes.includes(value), 'off, report or fix', preflight);
  maybe('tools', isTexts, 'an array of strings', tools);
  maybe('commandTool', isText, 'a string', commandTool);
}

export function checkCheckArguments(cells: unknown, options: unknown): void {
  need('cells', Array.isArray, 'an array', cells);
  for (const [index, cell] of (cells as readonly unknown[]).entries()) {
    const { source, label } = fieldsOf(`cells[${index}]`, cell);
    need(`cells[${index}].source`, isText, 'a string', source);
    need(`cells[${index}].label`, isText, 'a string', label);
    checkOptionNames('checkCells', cell, { source: true, label: true }, `cells[${index}]`);
  }
  const { declarations, compiler, from, environment, timeoutMs } = fieldsOf('options', options);
  // `checkCell` has the label of its cell among them.
  checkOptionNames('checkCells', options, { ...knownOfCheck, label: true });
  need('declarations', isText, 'a string', declarations);
  maybe('compiler', isText, 'a string', compiler);
  need('from', isText, 'a string', from);
  need(
    'environment',
    (value) => isTexts(Object.values(fieldsOf('environment', value))),
    'an object of strings',
    environment,
  );
  maybe('timeoutMs', isDuration, 'a number of ms above 0, or Infinity', timeoutMs);
}

type Check = (value: unknown) => boolean;

function need(name: string, isRight: Check, expected: string, value: unknown): void {
  if (isRight(value)) return;
  throw new CodemodeError('invalid-argument', argumentText(name, expected, value), { data: { name } });
}

function maybe(name: string, isRight: Check, expected: string, value: unknown): void {
  if (value !== undefined) need(name, isRight, expected, value);
}

function fieldsOf(name: string, value: unknown): { readonly [name: string]: unknown } {
  need(name, (given) => typeof given === 'object' && given !== null && !Array.isArray(given), 'an object', value);
  return value as { readonly [name: string]: unknown };
}

const isText: Check = (value) => typeof value === 'string';
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isDuration: Check = (value) => typeof value === 'number' && value > 0;
