/** Ends the process at once: no handler, no `finally`, no microtask runs. */
export type Exit = (code: number) => never;

/**
 * The second wall, from inside: should a cell get hold of an object of this realm, it finds nothing that reaches the
 * outside. Code generation is off by a flag, the permission model refuses files, processes, workers and addons; this
 * drops what they leave open, and freezes the intrinsics so that they cannot be turned against the runner.
 */
export function lockDown(): Exit {
  const self = process;
  const { reallyExit } = self as unknown as { reallyExit: Exit };
  const exit = reallyExit.bind(self);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!intrinsics.has(name) && !neededGlobals.has(name)) drop(globalThis, name);
  }
  for (const name of Object.getOwnPropertyNames(self)) if (!neededOfProcess.has(name)) drop(self, name);
  freezeIntrinsics();
  return exit;
}

/** What Node's own event loop, warnings and fatal errors look up on `process`. */
const neededOfProcess = new Set(
  '_events _eventsCount _maxListeners _exiting _fatalException _tickCallback domain emit emitWarning exitCode nextTick version versions noDeprecation throwDeprecation traceDeprecation'.split(
    ' ',
  ),
);
const neededGlobals = new Set([
  'globalThis',
  'Buffer',
  'performance',
  'setTimeout',
  'clearTimeout',
  'setImmediate',
  'clearImmediate',
]);
const intrinsics = new Set(
  'Object Function Array Number Boolean String Symbol BigInt Math JSON Reflect Proxy Promise Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError Map Set WeakMap WeakSet WeakRef FinalizationRegistry Date RegExp ArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array Uint8ClampedArray Iterator parseInt parseFloat isNaN isFinite undefined NaN Infinity'.split(
    ' ',
  ),
);

/** Without a look at the property: some of Node's globals load a module when they are looked at. */
function drop(target: object, name: string): void {
  if (!Reflect.deleteProperty(target, name)) Reflect.set(target, name, undefined);
}

/** A frozen `name` on the prototype would forbid `error.name = …` on each error, which Node's internals do. */
function allowOverride(prototype: object, name: string): void {
  const property = Object.getOwnPropertyDescriptor(prototype, name);
  if (property === undefined || !('value' in property)) return;
  const { value } = property;
  Object.defineProperty(prototype, name, {
    configurable: true,
    get: () => value,
    set(this: object, own: unknown) {
      if (this !== prototype) Object.defineProperty(this, name, { value: own, writable: true, configurable: true });
    },
  });
}

function freezeIntrinsics(): void {
  for (const error of [
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
    AggregateError,
  ]) {
    for (const name of ['name', 'message', 'toString', 'constructor']) allowOverride(error.prototype, name);
  }
  const seen = new Set<unknown>();
  const freeze = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key);
      freeze(property?.value);
      freeze(property?.get);
      freeze(property?.set);
    }
    freeze(Object.getPrototypeOf(value));
    Object.freeze(value);
  };
  for (const root of hiddenIntrinsics()) freeze(root);
  for (const name of intrinsics) freeze((globalThis as unknown as Record<string, unknown>)[name]);
}

/** Prototypes that no global leads to. */
function hiddenIntrinsics(): unknown[] {
  return [
    function* () {},
    async function* () {},
    async () => {},
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''.matchAll(/(?:)/g),
  ].map((value) => Object.getPrototypeOf(value));
}
