import { type Token, tokenizer } from 'acorn';
import { parseCell } from './syntax.js';

/**
 * Where a type, a declaration or a member was blanked, what stood before it can run on into what stands behind:
 * `const n = 1⏎type Row = {}⏎;[1, 2]`. There a `;` stands in the place of a blank: that of the source, or the first
 * character of what was blanked. `code` is the source with its types blanked, and stays as long as it is.
 */
export function keepStatementsApart(source: string, code: string): string {
  if (source.length !== code.length || !hasBlankedLines(source, code)) return code;
  let text = code;
  // A regular expression in the wrong place is read as two divisions: what is behind it shows in the next round.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const places = joints(source, text);
    if (places.length === 0) break;
    text = withSemicolons(text, places);
  }
  return text;
}

const MOST_ROUNDS = 20;

/** Whether a line begins with something that was blanked, or something blanked ends with a semicolon. */
function hasBlankedLines(source: string, code: string): boolean {
  if (source === code) return false;
  let isStart = false;
  for (let at = 0; at < source.length; at += 1) {
    const unit = source.charAt(at);
    if (isLineEnd(unit)) isStart = true;
    if (/\s/.test(unit)) continue;
    if ((isStart || unit === ';') && code.charAt(at) !== unit) return true;
    // What was blanked may stand behind a comment.
    if (isStart && unit === '/' && source[at + 1] === '*') return true;
    isStart = false;
  }
  return false;
}

const isLineEnd = (unit: string): boolean => /[\n\r\u2028\u2029]/.test(unit);

function withSemicolons(text: string, places: readonly number[]): string {
  let result = '';
  let done = 0;
  for (const at of places) {
    result += `${text.slice(done, at)};`;
    done = at + 1;
  }
  return result + text.slice(done);
}

function joints(source: string, code: string): number[] {
  const places: number[] = [];
  let before: Token | undefined;
  for (const token of tokensOf(code)) {
    const place =
      before !== undefined && mayEnd(before) && runsOn(code, token)
        ? between(source, code, before.end, token.start)
        : undefined;
    if (place !== undefined) places.push(place);
    if (place !== undefined && code.charAt(token.start) === '/') break;
    before = token;
  }
  return places;
}

/** As the parser sees them; of what does not parse, perhaps for what is mended here, as good as can be. */
function tokensOf(code: string): readonly Token[] {
  const tokens: Token[] = [];
  try {
    if (parseCell(code, true, tokens).program !== undefined) return tokens;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const others: Token[] = [];
  try {
    for (const token of tokenizer(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }))
      others.push(token);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return others;
}

/** Behind everything else an expression has yet to come. */
const mayEnd = ({ type }: Token): boolean => !('beforeExpr' in type && type.beforeExpr === true);

/** What goes on with an expression before it, and can begin a statement or a member as well. */
const runsOn = (code: string, { start, end }: Token): boolean =>
  /[([`+\-*/<]/.test(code.charAt(start)) || /^(in|instanceof)$/.test(code.slice(start, Math.min(end, start + 11)));

/** Where a semicolon belongs between two words of the code: undefined where nothing that it would end was blanked. */
function between(source: string, code: string, from: number, to: number): number | undefined {
  if (source.slice(from, to) === code.slice(from, to)) return undefined;
  let depth = 0;
  let isStart = false;
  let last: { readonly at: number; readonly text: string } | undefined;
  let first: number | undefined;
  for (const { 0: text, index } of source.slice(from, to).matchAll(typeWords)) {
    if (/^(\s|\/[/*])/.test(text)) {
      isStart ||= lineEnds.test(text);
      continue;
    }
    const at = from + index;
    if (first === undefined && depth === 0 && isStart && begins.test(text) && !goesOn.test(last?.text ?? ''))
      first = at;
    if (/^[([{<]$/.test(text)) depth += 1;
    else if (/^[)\]}>]$/.test(text)) depth -= 1;
    last = { at, text };
    isStart = false;
  }
  const place = last?.text === ';' ? last.at : first;
  return place !== undefined && code.charAt(place) === ' ' ? place : undefined;
}

const lineEnds = /[\n\r\u2028\u2029]/;
const typeWords =
  /\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|#?[\p{ID_Continue}$]+|=>|[\s\S]/gu;
/** What a declaration or a member begins with. A type can go on with `extends` on another line. */
const begins = /^(?!extends$)["'#$\p{ID_Continue}]/u;
/** A type goes on behind these. */
const goesOn = /^([|&:?,=.<([{]|=>|as|satisfies|keyof|typeof|unique|readonly|infer|asserts|is|extends|new|implements)$/;
