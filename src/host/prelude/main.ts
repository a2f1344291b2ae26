import {
  apply,
  bridgeJson,
  define,
  defineProperty,
  describe,
  display,
  isBlank,
  isFiniteNumber,
  op,
  parse,
  refuse,
  type Send,
  toNumber,
  trunc,
} from './bridge.js';
import { emitContent } from './content.js';
import { audio, generatedImage, image } from './media.js';
import { as_settled, stream_settled } from './settled.js';

/** What the runner calls; every argument and result is a primitive, but for the thrown value of `describe`. */
export interface Prelude {
  /** Both as JSON: `[{name, description}]` and `[[key, JSON text]]`. Defines the globals. */
  setup(tools: string, stored: string): void;
  /** Reports how the promise of the cell's module, which is an object of this context, settles. */
  watch(evaluation: Promise<unknown>): void;
  deliver(call: number, ok: boolean, text: string): void;
  /** Runs a timer's callback; what it throws comes out. */
  fire(timer: number): void;
  describe(thrown: unknown): string;
  /** `Name: message` of an error, for the head of its stack. */
  header(error: unknown): string;
}

const PromiseOf = Promise;
const then = Promise.prototype.then;
const errorToString = Error.prototype.toString;
const removed = [
  'console',
  'WebAssembly',
  'Atomics',
  'SharedArrayBuffer',
  'Temporal',
  'ShadowRealm',
  'AsyncIterator',
  'gc',
];

interface Waiting {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** Keys are data here; a prototype would answer for some of them. */
function bare<T>(): Record<string, T> {
  return { __proto__: null } as unknown as Record<string, T>;
}

/** Debug form of a key, as the reference prints it. */
function quote(key: string): string {
  let out = '"';
  for (let i = 0; i < key.length; i++) {
    const c = key[i] as string;
    if (c === '"' || c === '\\') out += `\\${c}`;
    else if (c === '\n') out += '\\n';
    else if (c === '\r') out += '\\r';
    else if (c === '\t') out += '\\t';
    else if (c === '\0') out += '\\0';
    else if (c < ' ' || c === '\x7f') out += `\\u{${apply(Number.prototype.toString, c.charCodeAt(0), [16])}}`;
    else out += c;
  }
  return `${out}"`;
}

export function install(global: typeof globalThis, rawSend: Send): Prelude {
  const send: Send = (kind, first, second) => {
    try {
      return rawSend(kind, first, second);
    } catch {
      // Only a full stack gets here, with an error of the runner's realm, which the cell must not see.
      throw 'RangeError: Maximum call stack size exceeded';
    }
  };
  for (const name of removed) delete (global as unknown as Record<string, unknown>)[name];

  const calls = bare<Waiting>();
  const timers = bare<() => unknown>();
  let values = bare<string>();
  let lastCall = 0;
  let lastTimer = 0;

  function keyOf(key: unknown, helper: string): string {
    try {
      return `${key as string}`;
    } catch {
      throw `${helper} key must be a string`;
    }
  }

  function call(index: number, input: unknown): Promise<unknown> {
    const json = input === undefined || input === null ? 'null' : bridgeJson(input);
    refuse(send(op.check, json));
    return new PromiseOf((resolve, reject) => {
      const refusal = send(op.call, `${index}`, json);
      if (refusal === undefined) calls[++lastCall] = { resolve, reject };
      else reject(refusal);
    });
  }

  function setTimer(callback: unknown, delay: unknown): number {
    if (typeof callback !== 'function') throw 'setTimeout expects a function callback';
    // The plus sign, unlike Number(), refuses a bigint; what a conversion throws passes through as it is.
    const ms = +(delay as number);
    const timer = ++lastTimer;
    timers[timer] = callback as () => unknown;
    send(op.timer, `${timer}`, `${isFiniteNumber(ms) && ms > 0 ? trunc(ms) : 0}`);
    return timer;
  }

  function clearTimer(id: unknown): void {
    let timer: number;
    try {
      if (typeof id === 'bigint') throw id;
      timer = trunc(toNumber(id));
    } catch {
      throw 'clearTimeout expects a numeric timeout id';
    }
    if (timers[timer] === undefined) return;
    delete timers[timer];
    send(op.clearTimer, `${timer}`);
  }

  const helpers: readonly (readonly [string, (this: unknown) => unknown])[] = [
    ['clearTimeout', anonymous((args) => clearTimer(args[0]))],
    ['setTimeout', unguarded((args) => setTimer(args[0], args[1]))],
    ['text', anonymous((args) => void send(op.text, display(args[0])))],
    [
      'content',
      function content(this: unknown, block?: unknown) {
        emitContent(send, block);
      } as (this: unknown) => unknown,
    ],
    ['image', anonymous((args) => image(send, args[0], args[1]))],
    ['audio', anonymous((args) => audio(send, args[0]))],
    ['generatedImage', anonymous((args) => generatedImage(send, args[0]))],
    [
      'store',
      anonymous((args) => {
        const key = keyOf(args[0], 'store');
        if (args[1] === undefined)
          throw `Unable to store ${quote(key)}. Only plain serializable objects can be stored.`;
        const json = bridgeJson(args[1]);
        refuse(send(op.check, json));
        refuse(send(op.store, key, json));
        values[key] = json;
      }),
    ],
    [
      'load',
      anonymous((args) => {
        const json = values[keyOf(args[0], 'load')];
        return json === undefined ? undefined : parse(json);
      }),
    ],
    [
      'notify',
      anonymous((args) => {
        const text = display(args[0]);
        if (isBlank(text)) throw 'notify expects non-empty text';
        send(op.notify, text);
      }),
    ],
    ['yield_control', anonymous(() => void send(op.yield))],
    ['exit', anonymous(() => void send(op.exit))],
    ['as_settled', as_settled as (this: unknown) => unknown],
    ['stream_settled', stream_settled as (this: unknown) => unknown],
  ];

  return {
    setup(toolsJson, storedJson) {
      const tools = {};
      const list = parse(toolsJson) as { name: string; description: string }[];
      for (let i = 0; i < list.length; i++) {
        const entry = list[i];
        if (entry !== undefined)
          define(
            tools,
            entry.name,
            anonymous((args) => call(i, args[0])),
          );
      }
      values = bare<string>();
      for (const [key, json] of parse(storedJson) as [string, string][]) values[key] = json;
      define(global, 'tools', tools);
      define(global, 'ALL_TOOLS', list);
      for (const [name, helper] of helpers) define(global, name, helper);
    },
    watch(evaluation) {
      // Without a constructor of its own, `then` asks the cell's Promise.prototype, which the cell may have changed.
      defineProperty(evaluation, 'constructor', { value: undefined });
      apply(then, evaluation, [() => send(op.completed), (thrown: unknown) => send(op.failed, describe(thrown))]);
    },
    deliver(number, ok, text) {
      const waiting = calls[number];
      if (waiting === undefined) return;
      delete calls[number];
      if (ok) waiting.resolve(parse(text));
      else waiting.reject(text);
    },
    fire(timer) {
      const callback = timers[timer];
      if (callback === undefined) return;
      delete timers[timer];
      apply(callback, undefined, []);
    },
    describe,
    header(error) {
      try {
        return apply(errorToString, error, []);
      } catch {
        return '';
      }
    },
  };
}

type Body = (args: ArrayLike<unknown>) => unknown;

/** A helper without a name, which can be called with `new`, like the reference's. */
function unguarded(body: Body): (this: unknown) => unknown {
  return ((): ((this: unknown) => unknown) =>
    function () {
      // biome-ignore lint/complexity/noArguments: a rest parameter would need the array's iterator, which is the cell's
      return body(arguments);
    })();
}

/** The same, and whatever goes wrong inside, also in the cell's own getters, is thrown as a string. */
function anonymous(body: Body): (this: unknown) => unknown {
  return unguarded((args) => {
    try {
      return body(args);
    } catch (thrown) {
      throw typeof thrown === 'string' ? thrown : describe(thrown);
    }
  });
}
