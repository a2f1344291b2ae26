import { isDeepStrictEqual } from 'node:util';
import type { ToolDefinition } from '../protocol/index.js';

interface CatalogFields {
  readonly catalog_revision?: number;
  readonly enabled_tools: readonly ToolDefinition[];
}

/**
 * What one opening of a session has told its host about tools. With `tool-catalog-revision-v1` a list is sent once and
 * then named by its revision; without, every execute carries it.
 */
export class ToolCatalog {
  readonly #remembered: boolean;
  #revision = 0;
  #tools: readonly ToolDefinition[] | undefined;

  constructor(capabilities: readonly string[]) {
    this.#remembered = capabilities.includes('tool-catalog-revision-v1');
  }

  /** The fields of an execute request that say which tools it has. */
  fields(tools: readonly ToolDefinition[]): CatalogFields {
    // A host cannot remember an empty list.
    if (!this.#remembered || tools.length === 0) return { enabled_tools: tools };
    if (this.#tools === tools || isDeepStrictEqual(this.#tools, tools)) {
      return { catalog_revision: this.#revision, enabled_tools: [] };
    }
    this.#tools = tools;
    this.#revision++;
    return { catalog_revision: this.#revision, enabled_tools: tools };
  }

  /** The host does not know the list after all: the next request carries it again. */
  forget(): void {
    this.#tools = undefined;
  }
}
