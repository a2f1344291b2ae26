const literal = /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"/g;
/** What stands where the title of a test is expected. */
const titled = /\btest\(\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`|(\w+),)/g;

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The titles that the tests of a source text have, as far as the text shows them. */
export class TestTitles {
  readonly #literals = new Set<string>();
  readonly #exact = new Set<string>();
  readonly #patterns: RegExp[] = [];
  /** Some test is called by a variable, so that its title is any literal of the file. */
  #anyLiteral = false;

  constructor(source: string) {
    for (const [, single, double] of source.matchAll(literal)) this.#literals.add(unescaped(single ?? double ?? ''));
    for (const [, single, double, template, variable] of source.matchAll(titled)) {
      if (template !== undefined) this.#patterns.push(this.#pattern(template));
      else if (variable !== undefined) this.#anyLiteral = true;
      else this.#exact.add(unescaped(single ?? double ?? ''));
    }
  }

  has(title: string): boolean {
    if (this.#exact.has(title) || (this.#anyLiteral && this.#literals.has(title))) return true;
    return this.#patterns.some((pattern) => pattern.test(title));
  }

  /** A placeholder stands for a literal of the file, or for a number. */
  #pattern(template: string): RegExp {
    const values = [...this.#literals].filter((text) => text !== '').map(quoted);
    const value = `(?:${['\\d+', ...values].join('|')})`;
    const parts = template.split(/\$\{[^}]*\}/).map((part) => quoted(unescaped(part)));
    return new RegExp(`^${parts.join(value)}$`);
  }
}
