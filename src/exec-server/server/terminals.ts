/** What we use of the binding inside the optional package `@lydell/node-pty`; its wrapper changes the environment. */
export interface Terminals {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  resize(descriptor: number, columns: number, rows: number): void;
}

let loading: Promise<Terminals | { readonly missing: string }> | undefined;

/** Loaded with the first terminal. Where the package, or its part for this system, is not installed, the reason. */
export function loadTerminals(): Promise<Terminals | { readonly missing: string }> {
  loading ??= load();
  return loading;
}

/** Not a literal, so that no bundler takes a package for present which is optional. */
const specifier = ['@lydell', 'node-pty', 'requireBinary.js'].join('/');

async function load(): Promise<Terminals | { readonly missing: string }> {
  // Elsewhere the binding needs a helper program, or is another one altogether.
  if (process.platform !== 'linux') return { missing: `terminals on ${process.platform} are not supported yet` };
  try {
    const module: unknown = await import(specifier);
    const binding = callIn(unwrapped(module), 'requireBinary', 'pty.node');
    return isTerminals(binding) ? binding : { missing: 'the package has another shape than expected' };
  } catch (error) {
    return { missing: (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '' };
  }
}

/** A CommonJS module may come as a default export. */
function unwrapped(module: unknown): unknown {
  if (hasMember(module, 'requireBinary')) return module;
  return hasMember(module, 'default') ? module.default : module;
}

function callIn(holder: unknown, name: string, argument: string): unknown {
  if (!hasMember(holder, name)) return undefined;
  const call: unknown = holder[name];
  return typeof call === 'function' ? call(argument) : undefined;
}

function isTerminals(value: unknown): value is Terminals {
  return (
    hasMember(value, 'fork') &&
    typeof value.fork === 'function' &&
    hasMember(value, 'resize') &&
    typeof value.resize === 'function'
  );
}

const hasMember = <N extends string>(value: unknown, name: N): value is { readonly [K in N]: unknown } =>
  typeof value === 'object' && value !== null && name in value;
