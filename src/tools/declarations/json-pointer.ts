/**
 * What `#` or `#/a/b` leads to inside `root`; undefined for everything else, and where nothing is. `~1` and `~0` stand for
 * `/` and `~`; percent signs have no meaning, as in the reference.
 */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at = root;
  for (const part of reference.slice(2).split('/')) {
    if (typeof at !== 'object' || at === null) return undefined;
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
    if (!Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}
