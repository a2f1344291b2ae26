import type { Json, Message } from '../host-wire.js';
import { tool } from '../tested-host.js';
import type { ToolSpec } from './probe.js';

const definition = (name: string, more: Json = {}): Json =>
  tool(name, { description: `desc of ${name}`, input_schema: null, output_schema: null, ...more });

const special: Record<string, Json> = {
  free: { kind: 'freeform' },
  ns: {
    name: 'mcp__srv__do-it',
    description: 'desc of mcp__srv__do-it',
    tool_name: { name: 'do-it', namespace: 'mcp__srv__' },
  },
};

export const toolDefinition = (spec: ToolSpec): Json =>
  typeof spec === 'string' ? definition(spec, special[spec]) : definition(spec.name, spec);

/** How a tool answers a call. */
export interface Reply {
  ok(value: unknown): void;
  fail(message: string): void;
  asNotification(): void;
  /** Keeps an answer until a step releases it. */
  hold(answer: () => void): void;
}

type Behaviour = (input: Message, reply: Reply) => void;

const behaviours: Record<string, Behaviour> = {
  echo: (input, { ok }) => ok({ got: input ?? '<none>' }),
  free: (input, { ok }) => ok(input == null ? '<none>' : `free:${input}`),
  ret: (input, { ok }) => ok(input?.value ?? null),
  fail: (input, { fail }) => fail(input?.message ?? 'tool failed'),
  slow: (input, { ok }) => {
    setTimeout(() => ok(input?.value ?? 'slow'), input?.ms ?? 50);
  },
  never: (_, { hold, ok }) => hold(() => ok('late')),
  never2: (_, { hold, ok }) => hold(() => ok('late2')),
  badresp: (_, { asNotification }) => asNotification(),
};

/** The behaviour of that name; that of `echo` for all others. */
export function answerCall(name: string, input: unknown, reply: Reply): void {
  const behaviour = Object.hasOwn(behaviours, name) ? behaviours[name] : behaviours.echo;
  behaviour?.(input, reply);
}
