import type { Draft } from './finding.js';
import { functionValueText } from './messages.js';
import { type Reading, readCell } from './reading.js';
import type { StripFault } from './strip-types.js';
import { straighten, unhide } from './wrappers/characters.js';
import { unescapeEntities } from './wrappers/entities.js';
import { unfence } from './wrappers/fence.js';
import { unwrapJson } from './wrappers/json.js';
import { uncall, unname, untag } from './wrappers/tool-call.js';
import type { Wrapper } from './wrappers/wrapper.js';

/** What a text turned out to be once everything around the program was taken off. */
export interface Unwrapping {
  readonly text: string;
  readonly drafts: readonly Draft[];
  /** Undefined: it is still no cell. */
  readonly reading: Reading | undefined;
  readonly fault: StripFault | undefined;
}

/** In this order: what stands outside goes first. */
const wrappers: readonly Wrapper[] = [unfence, unwrapJson, untag, uncall, unname, unescapeOnly, straighten, unhide];

/** Entities in a program that parses are looked at by a rule, which knows what is a variable. */
function unescapeOnly(...[text, program]: Parameters<Wrapper>): ReturnType<Wrapper> {
  return program === undefined ? unescapeEntities(text) : undefined;
}

const MOST_LAYERS = 6;

/** Takes off one layer after the other, until the text is a cell or there is nothing more to take off. */
export async function unwrap(
  source: string,
  { typescript, tools }: { readonly typescript?: boolean | undefined; readonly tools?: readonly string[] | undefined },
): Promise<Unwrapping> {
  let text = source;
  const drafts: Draft[] = [];
  for (let layer = 0; ; layer += 1) {
    const reading = await readCell(text, typescript);
    const found = layer < MOST_LAYERS ? firstLayer(text, reading.program, tools) : undefined;
    if (found !== undefined) drafts.push({ code: found.code, at: found.at, message: found.message });
    if (found?.text === undefined || found.text === text) {
      const expression = reading.program === undefined ? await functionExpression(text) : undefined;
      if (expression !== undefined) {
        drafts.push({ code: 'function-not-called', at: text.search(/\S/), message: functionValueText });
        return { text: expression.text, drafts, reading: expression, fault: undefined };
      }
      const isCell = reading.program !== undefined && (found === undefined || found.text !== undefined);
      return {
        text,
        drafts,
        reading: isCell ? reading : undefined,
        fault: reading.program === undefined ? reading.fault : undefined,
      };
    }
    text = found.text;
  }
}

/** `async function () { … }` as the whole cell: JavaScript only in parentheses. */
async function functionExpression(text: string): Promise<Reading | undefined> {
  if (!/^\s*(async\s+)?function\s*\(/.test(text)) return undefined;
  const reading = await readCell(`(${text.trimEnd().replace(/;$/, '')})`);
  return reading.program === undefined ? undefined : reading;
}

function firstLayer(...[text, program, tools]: Parameters<Wrapper>): ReturnType<Wrapper> {
  for (const wrapper of wrappers) {
    const found = wrapper(text, program, tools);
    if (found !== undefined) return found;
  }
  return undefined;
}
