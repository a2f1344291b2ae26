import { createRequire } from 'node:module';
import { notInstalledText, strangePackageText, unsupportedPlatformText } from './messages.js';

/** What we use of the binding inside the optional package `@lydell/node-pty`; its wrapper changes the environment. */
export interface Terminals {
  /** Our end does not block; nor does the other, which is of no use to a program. */
  open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(descriptor: number, columns: number, rows: number): void;
}

type Loaded = Terminals | { readonly missing: string };

let known: Loaded | undefined;

/** Loaded with the first terminal. Where the package, or its part for this system, is not installed, the reason. */
export function loadTerminals(): Loaded {
  if (known !== undefined) return known;
  const { loaded, final } = load();
  if (final) known = loaded;
  return loaded;
}

/** Not a literal, so that no bundler takes a package for present which is optional. */
const packageName = ['@lydell', 'node-pty'].join('/');
const packageVersion = '1.1.0';

/** What is not installed stays so; that there was no descriptor left to read it with is no reason for ever. */
function load(): { readonly loaded: Loaded; readonly final: boolean } {
  // Elsewhere the binding needs a helper program, or is another one altogether.
  if (process.platform !== 'linux') {
    return { loaded: { missing: unsupportedPlatformText(process.platform) }, final: true };
  }
  try {
    // Not `import`, which remembers a failure.
    const binding = callIn(
      createRequire(import.meta.url)(`${packageName}/requireBinary.js`),
      'requireBinary',
      'pty.node',
    );
    const loaded = isTerminals(binding) ? binding : { missing: strangePackageText };
    return { loaded, final: true };
  } catch (error) {
    const words = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
    const missing = lacksModule(error) ? notInstalledText(packageName, packageVersion) : words;
    return { loaded: { missing }, final: isNotFound(error) };
  }
}

/** The package, or its part for this system, which it reports with the reason as cause. */
const isNotFound = (error: unknown): boolean =>
  lacksModule(error) || (error instanceof Error && error.cause !== error && isNotFound(error.cause));

const lacksModule = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';

function callIn(holder: unknown, name: string, argument: string): unknown {
  if (!hasMember(holder, name)) return undefined;
  const call: unknown = holder[name];
  return typeof call === 'function' ? call(argument) : undefined;
}

function isTerminals(value: unknown): value is Terminals {
  return (
    hasMember(value, 'open') &&
    typeof value.open === 'function' &&
    hasMember(value, 'resize') &&
    typeof value.resize === 'function'
  );
}

const hasMember = <N extends string>(value: unknown, name: N): value is { readonly [K in N]: unknown } =>
  typeof value === 'object' && value !== null && name in value;
