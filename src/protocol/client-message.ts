import * as g from './guard.js';
import type { ClientHello, ClientMessage, DelegateValue, ExecuteRequest, Outcome, SessionRequest } from './message.js';
import { MAX_SIGNED_32 } from './signed-32.js';

/*
 * A client's objects refuse unknown fields, as the reference host does: a field that is not understood could change
 * what the client means.
 */
const object = <R extends Parameters<typeof g.object>[1], O extends Parameters<typeof g.object>[1]>(
  required: R,
  optional?: O,
) => g.object<R, O>('refuse', required, optional);

/** Catalogue revisions are unsigned, output tokens of an execute signed 32-bit, as the reference decodes them. */
const signed32 = g.integer(-(2 ** 31), MAX_SIGNED_32);

const tool = object(
  {
    name: g.string,
    tool_name: object({ name: g.string }, { namespace: g.nullable(g.string) }),
    description: g.string,
    kind: g.oneOf('function', 'freeform'),
  },
  { input_schema: g.json, output_schema: g.json },
);

const execute: g.Guard<ExecuteRequest> = object(
  { tool_call_id: g.string, enabled_tools: g.list(tool), source: g.string },
  {
    catalog_revision: g.nullable(g.unsigned),
    yield_time_ms: g.nullable(g.unsigned),
    max_output_tokens: g.nullable(signed32),
  },
);

const limits = object({}, { maxYieldTimeMs: g.nullable(g.unsigned), maxHeapSizeBytes: g.nullable(g.unsigned) });
const maxOutputTokens = g.nullable(g.unsigned);

const request = g.tagged<SessionRequest>('method', {
  'session/open': object(
    { method: g.oneOf('session/open'), sessionId: g.identifier },
    { cellExecutionLimits: g.nullable(limits), outputTruncation: g.nullable(g.oneOf('client', 'server')) },
  ),
  'session/execute': object({ method: g.oneOf('session/execute'), sessionId: g.identifier, request: execute }),
  'session/wait': object(
    {
      method: g.oneOf('session/wait'),
      sessionId: g.identifier,
      request: object({ cell_id: g.string, yield_time_ms: g.unsigned }),
    },
    { maxOutputTokens },
  ),
  'session/terminate': object(
    { method: g.oneOf('session/terminate'), sessionId: g.identifier, cellId: g.string },
    { maxOutputTokens },
  ),
  'session/shutdown': object({ method: g.oneOf('session/shutdown'), sessionId: g.identifier }),
});

const delegateValue = g.tagged<DelegateValue>('type', {
  'tool/result': object({ type: g.oneOf('tool/result'), result: g.json }),
  // The one place where the reference lets extra fields pass.
  'notification/delivered': g.object('tolerate', { type: g.oneOf('notification/delivered') }),
});

const delegateResult = g.tagged<Outcome<DelegateValue>>('status', {
  ok: object({ status: g.oneOf('ok'), value: delegateValue }),
  error: object({ status: g.oneOf('error'), message: g.string }),
});

const versions: g.Guard<readonly number[]> = (value, path) => {
  const numbers = g.list(g.integer(1, 2 ** 32 - 1))(value, path);
  const ok = numbers.length > 0 && new Set(numbers).size === numbers.length;
  return ok ? numbers : g.refuse(path, 'at least one version, each once', value);
};

const helloFields = object({
  type: g.oneOf('connection/hello'),
  supportedVersions: versions,
  requiredCapabilities: g.capabilityNames,
  optionalCapabilities: g.capabilityNames,
});

const hello: g.Guard<ClientHello> = (value, path) => {
  const message = helloFields(value, path);
  const both = message.optionalCapabilities.find((name) => message.requiredCapabilities.includes(name));
  return both === undefined
    ? message
    : g.refuse('optionalCapabilities', `capability \`${both}\` not to be required as well`, message);
};

const message = g.tagged<ClientMessage>('type', {
  'connection/hello': hello,
  'operation/request': object({ type: g.oneOf('operation/request'), id: g.id, request }),
  'operation/cancel': object({ type: g.oneOf('operation/cancel'), id: g.id }),
  'operation/yield': object({ type: g.oneOf('operation/yield'), id: g.id }),
  'delegate/response': object({ type: g.oneOf('delegate/response'), id: g.id, result: delegateResult }),
});

/** Throws `protocol-error` for an execute request that a host would take for a broken frame. */
export const checkExecute: g.Guard<ExecuteRequest> = execute;

/** What a client sent, or `protocol-error` with the place of the first fault. */
export function parseClientMessage(value: unknown): ClientMessage {
  return message(value, '');
}
