/**
 * Cell ids are the host's own, and a new host begins again at 1. So that an id of a host that is gone cannot hit a
 * cell of its successor, ids of generation 2 and later carry the generation: `g2:1`.
 */
export function publicCellId(generation: number, hostId: string): string {
  return generation === 1 ? hostId : `g${generation}:${hostId}`;
}

/** The host's id of a cell of this generation; undefined for an id of another one. */
export function hostCellId(generation: number, publicId: string): string | undefined {
  if (generation === 1) return publicId.startsWith('g') && publicId.includes(':') ? undefined : publicId;
  const prefix = `g${generation}:`;
  return publicId.startsWith(prefix) ? publicId.slice(prefix.length) : undefined;
}
