/**
 * Hides from a child what somebody planted on `Object.prototype`. Execa copies the map onto an ordinary object (and merges
 * an inherited `env` into it), Node reads that with for-in; both skip a name that is there and undefined.
 */
export function withoutPlantedNames(env: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const result: Record<string, string | undefined> = Object.create(null);
  const ordinary: { env?: unknown } = {};
  for (const name in ordinary) result[name] = undefined;
  for (const name of Object.keys(Object(ordinary.env))) result[name] = undefined;
  for (const [name, value] of Object.entries(env)) result[name] = value;
  return result;
}
