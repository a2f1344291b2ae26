import { CodemodeError } from '../errors.js';
import type { ToolDefinition } from '../protocol/index.js';
import { plainValue } from '../protocol/plain-value.js';
import { definitionNotJson, definitionTooLarge } from './messages.js';

interface CatalogFields {
  readonly catalog_revision?: number;
  readonly enabled_tools: readonly ToolDefinition[];
}

/** What stands around the list in a frame takes three of the levels that a host accepts. */
const MAX_DEPTH = 120;

/**
 * What one opening of a session has told its host about tools. With `tool-catalog-revision-v1` a list is sent once and
 * then named by its revision; without, every execute carries it.
 */
export class ToolCatalog {
  readonly #remembered: boolean;
  #revision = 0;
  /** The list that was sent, as text: the caller's array may have changed since. */
  #sent: string | undefined;

  constructor(capabilities: readonly string[]) {
    this.#remembered = capabilities.includes('tool-catalog-revision-v1');
  }

  /** The fields of an execute request that say which tools it has. Throws `invalid-argument` for what is not JSON, `frame-too-large` for what fits into no frame. */
  fields(tools: readonly ToolDefinition[]): CatalogFields {
    // A host cannot remember an empty list.
    if (tools.length === 0) return { enabled_tools: [] };
    const enabled_tools = plain(tools);
    if (!this.#remembered) return { enabled_tools };
    const text = JSON.stringify(enabled_tools);
    if (text === this.#sent) return { catalog_revision: this.#revision, enabled_tools: [] };
    this.#sent = text;
    this.#revision++;
    return { catalog_revision: this.#revision, enabled_tools };
  }

  /** The host does not know the list after all: the next request carries it again. */
  forget(): void {
    this.#sent = undefined;
  }
}

/** Schemas come from users, who may put dates and worse into them: one codec would write what the other side refuses. */
function plain(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  return tools.map((tool) => {
    try {
      return plainValue(tool, 'base64', MAX_DEPTH) as ToolDefinition;
    } catch (error) {
      if (error instanceof CodemodeError && error.code === 'frame-too-large')
        throw definitionTooLarge(tool.name, error);
      const why = error instanceof Error ? error.message : String(error);
      throw definitionNotJson(tool.name, why, error);
    }
  });
}
