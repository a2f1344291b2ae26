import { CodemodeError } from '../errors.js';
import { CELL_LABEL, checkStripArguments } from './argument-guard.js';
import { farFaultText, noStripperText, stripReason, stripText, tooDeepText } from './messages.js';
import { blank, type Position } from './position.js';
import { keepStatementsApart } from './statement-ends.js';
import { failurePlace, isStripFailure } from './strip-failure.js';
import { keepMemory, type StripperParts } from './strip-memory.js';

/**
 * Blanks the types of a cell and keeps every position: the result has the same lines and columns. Takes about a
 * tenth of a second for each MiB; a text with many faults in one line takes time that grows with the square of the line.
 * Rejects with `invalid-argument` and the position (`data: { label, line, column }`) where the source is no
 * TypeScript, or has TypeScript that is more than types: enums, namespaces, parameter properties, `import x =`. `label`
 * is how errors call the cell; default: `[cell]`.
 */
export async function stripTypes(
  source: string,
  options: { readonly label?: string | undefined } = {},
): Promise<string> {
  checkStripArguments(source, options);
  const { code, fault } = await tryStrip(source);
  if (code !== undefined) return code;
  const { label = CELL_LABEL } = options;
  const { line, column } = fault;
  throw new CodemodeError('invalid-argument', stripText(label, fault, fault.reason), {
    cause: fault.cause,
    data: { label, line, column },
  });
}

export interface StripFault extends Position {
  readonly reason: string;
  /** The source is fine TypeScript, but this part would need code, not blanks. */
  readonly unsupported: boolean;
  readonly cause: unknown;
}

type Stripped =
  | { readonly code: string; readonly fault?: undefined }
  | { readonly code?: undefined; readonly fault: StripFault };

interface Stripper {
  /** Throws a `StripFailure`, or an error where the stripper itself has failed. */
  readonly strip: (source: string) => string;
  /** Makes it usable again after it has failed. */
  readonly restore: () => void;
}

let loading: Promise<Stripper> | undefined;

/** 3.7 MB of WebAssembly: only whoever has types pays for it. */
async function load(): Promise<Stripper> {
  const { default: module } = await import('@swc/wasm-typescript');
  const { transformSync, __wasm }: typeof module & { readonly __wasm?: StripperParts } = module;
  if (__wasm === undefined) throw new CodemodeError('internal-error', noStripperText('it has no memory'));
  return {
    strip: (source) => transformSync(source, { mode: 'strip-only' }).code,
    restore: keepMemory(__wasm),
  };
}

/** As `stripTypes`. With `inFunction` a `return` outside of functions is no fault. */
export async function tryStrip(source: string, inFunction = false): Promise<Stripped> {
  const prefix = inFunction ? 'async()=>{' : '';
  const text = inFunction ? `${prefix}${source}\n}` : source;
  loading ??= load().catch((error: unknown) => {
    // Whoever comes next may have more luck: files can be out of reach for a moment.
    loading = undefined;
    throw error;
  });
  // Whoever called us, the stack is empty from here on: how deep a text may be nested depends on nothing else.
  const { strip, restore } = await loading;
  const guarded = (again: string): string => {
    try {
      return strip(again);
    } catch (error) {
      if (error instanceof Error) restore();
      throw error;
    }
  };
  try {
    const code = guarded(text);
    const blanked = aligned(source, inFunction ? code.slice(prefix.length, -2) : code);
    return { code: keepStatementsApart(source, blanked) };
  } catch (error) {
    if (!isStripFailure(error)) return { fault: { ...nowhere, reason: stripperReason(error, text), cause: error } };
    const place = failurePlace(error, text, guarded);
    const unsupported = error.code === 'UnsupportedSyntax';
    return { fault: { ...place, reason: stripReason(error.message), unsupported, cause: error } };
  }
}

/** The last column in which the stripper can report a fault. */
const FARTHEST = 65_535;

const nowhere = { line: 1, column: 1, unsupported: false } as const;

/** A text that is nested too deeply fills our stack or its own; one with a fault far off to the right makes it panic. */
function stripperReason(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError || /out of bounds/.test(message)) return tooDeepText;
  const isFar = /unreachable/.test(message) && text.split(/\r\n|[\r\n]/).some(({ length }) => length > FARTHEST);
  return isFar ? farFaultText(FARTHEST) : noStripperText(message);
}

/** The stripper drops a byte-order mark, and blanks the rare line ends inside types. */
function aligned(source: string, stripped: string): string {
  const code = source.startsWith('\uFEFF') && !stripped.startsWith('\uFEFF') ? `\uFEFF${stripped}` : stripped;
  if (!/[\u2028\u2029]/.test(source) || code.length !== source.length) return code;
  return [...Array(source.length).keys()]
    .map((at) => (blank(source.charAt(at)) === ' ' ? code.charAt(at) : source.charAt(at)))
    .join('');
}
