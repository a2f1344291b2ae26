import type { Host, Observation, SessionOptions, ToolDefinition } from '../../src/index.js';
import type { Stage } from './stage.js';

export interface Operation {
  readonly title: string;
  /** Its value must be the same with every host. */
  readonly act: (host: Host, stage: Stage) => Promise<unknown>;
  readonly options?: Omit<SessionOptions, 'delegate'>;
  /** Cannot be done with a host that grants nothing. */
  readonly needsCapabilities?: boolean;
  /** The host may say things side by side, so their order is not compared. */
  readonly anyOrder?: boolean;
}

export const seen = ({ kind, missing, items, errorText }: Observation) => ({ kind, missing, items, errorText });

/** The source of a cell that waits for ever. */
export const PENDING = 'await new Promise(() => {});';

export const tool = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  tool_name: { name, namespace: null },
  description: `about ${name}`,
  kind: 'function',
  ...more,
});
export const echo = [tool('echo')];
