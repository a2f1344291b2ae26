import { hostEnvironment } from '../process/environment.js';

const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * `${NAME}` and `${NAME:-default}` in a text; the default also stands in for an empty variable, as in a shell. Anything
 * else with a dollar stays as it is. Without an `environment` it is that of this process. `unset` is told of a name that
 * has neither value nor default, `nestedDefault` of one whose default has a variable in it: that is not replaced.
 */
export function expandVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>> | undefined,
  refuse: { readonly unset: (name: string) => never; readonly nestedDefault: (name: string) => never },
): string {
  return text.replace(reference, (_whole, name: string, fallback: string | undefined) => {
    if (fallback?.includes('${') === true) return refuse.nestedDefault(name);
    const source = environment ?? ownVariable(name);
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    return value ?? refuse.unset(name);
  });
}

/** Among others. What no host may see is not in it. */
const ownVariable = (name: string) => hostEnvironment({ set: { [name]: undefined } });
