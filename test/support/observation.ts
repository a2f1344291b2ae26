import type { ContentItem } from '../../src/protocol/message.js';
import type { Observation } from '../../src/supervisor/host.js';

export const text = (value: string): ContentItem => ({ type: 'input_text', text: value });

/** What a host says of the cell `1`. */
export const observation = (
  kind: Observation['kind'],
  words: readonly string[] = [],
  more: Partial<Observation> = {},
): Observation => ({
  kind,
  missing: false,
  cellId: '1',
  items: words.map(text),
  errorText: null,
  hostDurationMs: 0,
  ...more,
});
