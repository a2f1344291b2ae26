import type { Observation } from '../connection/observation.js';
import { DEFAULT_OUTPUT_TOKENS } from '../protocol/index.js';
import { scriptError, shortenError, truncate } from '../protocol/truncation.js';

/** Who keeps a session's output within its token budget: nobody, the host (`bounded-output-v1`), or this side. */
export class OutputBudget {
  readonly #by: 'nobody' | 'host' | 'us';

  constructor(wanted: boolean, capabilities: readonly string[]) {
    this.#by = !wanted ? 'nobody' : capabilities.includes('bounded-output-v1') ? 'host' : 'us';
  }

  get byHost(): boolean {
    return this.#by === 'host';
  }

  /** What the host is told: it takes no notice of a budget that it does not keep. */
  tokensForHost(maxOutputTokens: number | undefined): number | undefined {
    return this.#by === 'host' ? maxOutputTokens : undefined;
  }

  apply(observation: Observation, maxOutputTokens: number = DEFAULT_OUTPUT_TOKENS): Observation {
    if (this.#by === 'host') return withoutScriptError(observation);
    if (this.#by === 'nobody') return observation;
    const { items, errorText } = observation;
    const retained = { head: items, marker: undefined, tail: [], split: false };
    return {
      ...observation,
      items: truncate(retained, maxOutputTokens),
      errorText: errorText === null ? null : shortenError(errorText),
    };
  }
}

/** A host that truncates repeats the error as the last item of the output; here it has a place of its own. */
function withoutScriptError(observation: Observation): Observation {
  const { items, errorText } = observation;
  const last = items.at(-1);
  if (errorText === null || last?.type !== 'input_text') return observation;
  const repeated = scriptError(errorText);
  return repeated.type === 'input_text' && last.text === repeated.text
    ? { ...observation, items: items.slice(0, -1) }
    : observation;
}
