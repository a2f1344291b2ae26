import type { Program } from 'acorn';
import { memberName } from '../cell.js';
import { languageLineText, tagsText, toolCallText } from '../messages.js';
import { blank } from '../position.js';
import { Names } from '../scope.js';
import { constant, fromObject, looksLikeProgram } from './json.js';
import type { Unwrapped, Wrapper } from './wrapper.js';

const tag =
  /^\s*<(\/?)(?:code|exec|javascript|js|script|tool_call|tool|function|function_call|invoke|parameter|input|source|pre|program|run|codemode|typescript)\b[^<>\n]{0,200}>[ \t]*/i;
const endTag =
  /\s*<\/(?:code|exec|javascript|js|script|tool_call|tool|function|function_call|invoke|parameter|input|source|pre|program|run|codemode|typescript)>\s*$/i;
const special = /^\s*<(?:\|[\w ]{1,40}\||!\[CDATA\[(?=.))>?[ \t]*/;

/** Tags before and behind the program. */
export function untag(text: string, program: Program | undefined): Unwrapped | undefined {
  if (program !== undefined || !/^\s*<|>\s*$/.test(text)) return undefined;
  let head = 0;
  for (let match = next(text.slice(head)); match !== undefined; match = next(text.slice(head))) head += match;
  let tail = text.length;
  for (let match = endTag.exec(text.slice(Math.max(head, tail - 400), tail)); match !== null; ) {
    tail -= match[0].length;
    match = endTag.exec(text.slice(Math.max(head, tail - 400), tail));
  }
  if (head === 0 && tail === text.length) return undefined;
  const inner = blank(text.slice(0, head)) + text.slice(head, tail) + blank(text.slice(tail));
  return { code: 'markup-tags', at: Math.max(0, text.search(/</)), message: tagsText, text: inner };
}

const next = (text: string): number | undefined => (tag.exec(text) ?? special.exec(text))?.[0].length;

const callers =
  /^(functions\.exec|functions\.run|exec|tools\.exec|code_exec|run_code|execute_code|codemode|run_javascript|execute)$/;

/**
 * `functions.exec(…)` around the program: as text, or as the argument of a call that cells do not have. What may be the
 * call of a tool is left alone: its argument is not for us to run.
 */
export const uncall: Wrapper = (text, program, tools) =>
  program === undefined ? uncallText(text, tools) : uncallProgram(text, program, tools);

function mayBeTool(caller: string, tools: readonly string[] | undefined): boolean {
  // There are no `functions` in a cell.
  if (tools === undefined) return !caller.startsWith('functions.');
  return tools.includes(caller.slice(caller.indexOf('.') + 1));
}

function uncallProgram(text: string, program: Program, tools: readonly string[] | undefined): Unwrapped | undefined {
  const [only, ...others] = program.body;
  if (only?.type !== 'ExpressionStatement' || others.length > 0) return undefined;
  const call = only.expression.type === 'AwaitExpression' ? only.expression.argument : only.expression;
  if (call.type !== 'CallExpression' || call.arguments.length !== 1) return undefined;
  const { callee } = call;
  if (callee.type === 'MemberExpression' && memberName(callee) === undefined) return undefined;
  const caller = text.slice(callee.start, callee.end);
  if (!callers.test(caller) || mayBeTool(caller, tools)) return undefined;
  const [argument] = call.arguments;
  if (argument === undefined) return undefined;
  const code = argument.type === 'ObjectExpression' ? fromObject(argument)?.text : constant(argument);
  if (code === undefined || !looksLikeProgram(code)) return undefined;
  return { code: 'tool-call-wrapper', at: only.start, message: toolCallText, text: code };
}

const callHead = /^\s*(?:await\s+)?(functions\.exec|functions\.run|exec|tools\.exec|run_code|execute_code)\(\s*\n/;

function uncallText(text: string, tools: readonly string[] | undefined): Unwrapped | undefined {
  const head = callHead.exec(text);
  const tail = /\n\s*\);?\s*$/.exec(text.slice(-200));
  if (head === null || tail === null || mayBeTool(head[1] ?? '', tools)) return undefined;
  const end = text.length - tail[0].length;
  const inner = blank(head[0]) + text.slice(head[0].length, end) + blank(text.slice(end));
  return { code: 'tool-call-wrapper', at: text.search(/\S/), message: toolCallText, text: inner };
}

const languageLine =
  /^\s*(?:(?:assistant\s+)?(?:to=)?functions\.(?:exec|run)(?:[ \t]+code)?|to=exec(?:[ \t]+code)?|javascript|typescript|js|ts|mjs|jsx|node|exec|code|codemode)[ \t]*:?[ \t]*\r?\n/i;

/** A first line that only says what follows. As a statement it would ask for a variable of that name. */
export function unname(text: string, program: Program | undefined): Unwrapped | undefined {
  const line = languageLine.exec(text.slice(0, 300));
  if (line === null) return undefined;
  const word = line[0].trim();
  if (program !== undefined) {
    const [first] = program.body;
    const alone = first?.type === 'ExpressionStatement' && first.end <= line[0].length && program.body.length > 1;
    // Not where the cell has such a variable.
    if (!alone || (/^\w+$/.test(word) && !new Names(program).free.has(word))) return undefined;
  }
  const inner = blank(line[0]) + text.slice(line[0].length);
  return { code: 'language-line', at: text.search(/\S/), message: languageLineText(word), text: inner };
}
