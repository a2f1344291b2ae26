const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * `${NAME}` and `${NAME:-default}` in a text; the default also stands in for an empty variable, as in a shell. Anything
 * else with a dollar stays as it is. `unset` is told of a name that has neither value nor default,
 * `nestedDefault` of one whose default has a variable in it: that is not replaced.
 */
export function expandVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  refuse: { readonly unset: (name: string) => never; readonly nestedDefault: (name: string) => never },
): string {
  return text.replace(reference, (_whole, name: string, fallback: string | undefined) => {
    if (fallback?.includes('${') === true) return refuse.nestedDefault(name);
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    return value ?? refuse.unset(name);
  });
}
