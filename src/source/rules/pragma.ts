import type { Draft } from '../finding.js';
import { pragmaKeyText, pragmaPlaceText, pragmaText } from '../messages.js';

const pragmaLine = /^[ \t]*\/\/ @exec:(.*)$/;
const known: ReadonlySet<string> = new Set(['yield_time_ms', 'max_output_tokens']);

/**
 * The `// @exec:` line, which belongs on the very first line. `given` is the cell as it came: where the pragma is the
 * first line of what was wrapped, the wrapper is what is wrong, and the pragma has only to be moved.
 */
export function pragma(source: string, given: string): Draft[] {
  const lines = source.slice(0, 20_000).split('\n', 50);
  let at = 0;
  for (const [index, raw] of lines.entries()) {
    const line = raw.replace(/\r$/, '');
    const found = pragmaLine.exec(line);
    if (found !== null) {
      if (index === 0) return problems(found[1] ?? '', at);
      const draft = misplaced(source, at, line);
      return isFirstInside(lines.slice(0, index), given) ? [...problems(found[1] ?? '', at), quiet(draft)] : [draft];
    }
    // Once there is code, such a line is a comment like any other.
    if (index > 0 || line.trim() !== '') {
      if (!/^\s*(\/\/.*)?$/.test(line)) return [];
    }
    at += raw.length + 1;
  }
  return [];
}

/** Whether the line before is one of a wrapper that was blanked, and no other line is left in front. */
function isFirstInside(before: readonly string[], given: string): boolean {
  const last = given.slice(0, 20_000).split('\n', before.length)[before.length - 1] ?? '';
  return before.every((line) => line.trim() === '') && last.trim() !== '';
}

const quiet = (draft: Draft): Draft => ({ ...draft, quiet: true });

function misplaced(source: string, at: number, line: string): Draft {
  const draft = { code: 'pragma-not-first', at, message: pragmaPlaceText } as const;
  const first = source.slice(0, source.indexOf('\n'));
  if (first.trim() !== '') return draft;
  const edits = [
    { start: 0, end: first.replace(/\r$/, '').length, text: line },
    { start: at, end: at + line.length, text: '' },
  ];
  return { ...draft, edits };
}

function problems(directive: string, at: number): Draft[] {
  let value: unknown;
  try {
    value = JSON.parse(directive.trim());
  } catch {
    return [{ code: 'exec-pragma', at, message: pragmaText }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ code: 'exec-pragma', at, message: pragmaText }];
  return Object.entries(value).flatMap(([key, field]): Draft[] => {
    if (!known.has(key)) return [{ code: 'exec-pragma', at, message: pragmaKeyText(key) }];
    if (field === null || (Number.isSafeInteger(field) && Number(field) >= 0)) return [];
    return [{ code: 'exec-pragma', at, message: pragmaText }];
  });
}
