import { constants, createContext, runInContext, Script, SourceTextModule } from 'node:vm';
import { op, type Send } from '../prelude/bridge.js';
import type { install, Prelude } from '../prelude/main.js';
import { PRELUDE_FILE } from './stack.js';

declare const PRELUDE_SOURCE: string;

/** One fresh V8 context with the prelude in it. Only primitives and functions of the context itself cross its border. */
export interface Realm {
  readonly context: object;
  readonly prelude: Prelude;
  /** Where the prelude's calls go; set when a cell takes the realm, and emptied when it ends. */
  receiver: Send | undefined;
}

const options = { codeGeneration: { strings: true, wasm: false } };
const script = new Script(`(function (exports) { 'use strict'; ${PRELUDE_SOURCE}\nreturn exports.install; })`, {
  filename: PRELUDE_FILE,
});

export function createRealm(): Realm {
  // Node 20 has no plain global object to offer; there an empty one stands behind the context's own.
  const vanilla = (constants as unknown as { DONT_CONTEXTIFY?: object } | undefined)?.DONT_CONTEXTIFY;
  const context = createContext(vanilla ?? Object.create(null), options);
  const realm: { -readonly [K in keyof Realm]: Realm[K] } = {
    context,
    prelude: undefined as never,
    receiver: undefined,
  };
  const send: Send = (kind, first, second) => {
    try {
      return realm.receiver?.(kind, first, second);
    } catch (error) {
      // Nothing of this realm may be thrown into the cell, so only the text goes on.
      return kind === op.exit ? undefined : String((error as { message?: unknown } | undefined)?.message);
    }
  };
  const exports = runInContext('({})', context) as object;
  const installer = (script.runInContext(context) as (exports: object) => typeof install)(exports);
  realm.prelude = installer(runInContext('globalThis', context) as typeof globalThis, send);
  return realm;
}

/** Makes Node load, and warn about, all that a module needs while it still may. */
export function warmUp(realm: Realm): void {
  const module = new SourceTextModule('', { context: realm.context });
  void module.link(() => module).then(() => module.evaluate());
}
