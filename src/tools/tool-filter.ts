import picomatch from 'picomatch';
import { CodemodeError } from '../errors.js';
import { notAGlobText, notGlobsText } from './messages.js';

/** A tool by its two names; a glob may mean either. */
export interface NamedTool {
  readonly name: string;
  readonly property: string;
}

export interface ToolLists {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

interface Glob {
  readonly text: string;
  matches(name: string): boolean;
}

/** Which tools are offered at all: those on the allow list, without those on the deny list. */
export class ToolFilter {
  readonly #allow: readonly Glob[] | undefined;
  readonly #deny: readonly Glob[];

  /** Without an allow list all tools are allowed; an empty one allows none. Throws `invalid-argument` for what is no glob. */
  constructor({ allow, deny }: ToolLists) {
    this.#allow = allow === undefined ? undefined : globs('allow', allow);
    this.#deny = globs('deny', deny ?? []);
  }

  offers(tool: NamedTool): boolean {
    return (this.#allow?.some((glob) => means(glob, tool)) ?? true) && !this.denies(tool);
  }

  denies(tool: NamedTool): boolean {
    return this.#deny.some((glob) => means(glob, tool));
  }

  /** Globs that mean none of these tools: perhaps misspelt, and then a tool is offered that should not be. */
  unused(tools: readonly NamedTool[]): string[] {
    const all = [...(this.#allow ?? []), ...this.#deny];
    return all.filter((glob) => !tools.some((tool) => means(glob, tool))).map(({ text }) => text);
  }
}

const means = (glob: Glob, { name, property }: NamedTool): boolean => glob.matches(name) || glob.matches(property);

function globs(list: string, patterns: unknown): readonly Glob[] {
  if (!Array.isArray(patterns)) throw new CodemodeError('invalid-argument', notGlobsText(list, patterns));
  return patterns.map((text: unknown, index) => {
    if (typeof text !== 'string' || text === '') {
      throw new CodemodeError('invalid-argument', notAGlobText(`${list}[${index}]`, text), { data: { option: list } });
    }
    // A name is no path: `*` also means what has a slash or begins with a dot. A name by itself means itself, whatever
    // characters it contains.
    const matches = picomatch(text, { bash: true, dot: true });
    return { text, matches: (name) => name === text || matches(name) };
  });
}
