/** Capabilities of the V1 protocol. The first five are the reference's; the last is ours. */
export const capabilities = [
  'bounded-output-v1',
  'delegate-capacity-4096',
  'msgpack-frames-v1',
  'session-cell-execution-resource-limits',
  'tool-catalog-revision-v1',
  'yield-observation',
] as const;

export type Capability = (typeof capabilities)[number];

const known: ReadonlySet<string> = new Set(capabilities);

export function isCapability(name: string): name is Capability {
  return known.has(name);
}
