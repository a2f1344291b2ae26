import * as g from './guard.js';
import type {
  CellProgress,
  CellResult,
  ContentItem,
  DelegateRequest,
  HostMessage,
  OperationValue,
  Outcome,
  RejectionReason,
  RuntimeResponse,
  WaitOutcome,
} from './message.js';

/*
 * A host's objects may carry fields that we do not know: a newer host stays usable, and the guard drops them.
 */
const object = <R extends Parameters<typeof g.object>[1], O extends Parameters<typeof g.object>[1]>(
  required: R,
  optional?: O,
) => g.object<R, O>('tolerate', required, optional);

const contentItem = g.tagged<ContentItem>('type', {
  input_text: object({ type: g.oneOf('input_text'), text: g.string }),
  input_image: object(
    { type: g.oneOf('input_image'), image_url: g.string },
    { detail: g.oneOf('auto', 'low', 'high', 'original') },
  ),
  input_audio: object({ type: g.oneOf('input_audio'), audio_url: g.string }),
});

const progress: g.Guard<CellProgress> = object({
  cell_id: g.string,
  content_items: g.list(contentItem),
  code_mode_host_duration_ns: g.unsigned,
});

const result: g.Guard<CellResult> = (value, path) => {
  const base = progress(value, path);
  const more = object({}, { error_text: g.nullable(g.string), result_buffered_for_ns: g.unsigned })(value, path);
  return { ...base, error_text: more.error_text ?? null, result_buffered_for_ns: more.result_buffered_for_ns ?? 0 };
};

const runtimeResponse = g.variant<RuntimeResponse>('tolerate', {
  Yielded: progress,
  Terminated: progress,
  Result: result,
});

const outcome = g.variant<WaitOutcome>('tolerate', { LiveCell: runtimeResponse, MissingCell: runtimeResponse });

const operationValue = g.tagged<OperationValue>('type', {
  'session/ready': object({ type: g.oneOf('session/ready'), sessionId: g.identifier }),
  'execution/started': object({ type: g.oneOf('execution/started'), cellId: g.string }),
  'wait/completed': object({ type: g.oneOf('wait/completed'), outcome }),
  'session/closed': object({ type: g.oneOf('session/closed'), sessionId: g.identifier }),
});

function outcomeOf<T>(value: g.Guard<T>): g.Guard<Outcome<T>> {
  return g.tagged<Outcome<T>>('status', {
    ok: object({ status: g.oneOf('ok'), value }) as g.Guard<Outcome<T>>,
    error: object({ status: g.oneOf('error'), message: g.string }),
  });
}

const rejection = g.tagged<RejectionReason>('type', {
  invalidHello: object({ type: g.oneOf('invalidHello'), message: g.string }),
  noCompatibleVersion: object({
    type: g.oneOf('noCompatibleVersion'),
    supportedVersions: g.list(g.integer(1, 2 ** 32 - 1)),
  }),
  missingRequiredCapability: object({ type: g.oneOf('missingRequiredCapability'), capability: g.identifier }),
});

const delegateRequest = g.tagged<DelegateRequest>('type', {
  'tool/invoke': object({
    type: g.oneOf('tool/invoke'),
    invocation: object(
      {
        cell_id: g.string,
        runtime_tool_call_id: g.string,
        tool_name: object({ name: g.string }, { namespace: g.nullable(g.string) }),
        tool_kind: g.oneOf('function', 'freeform'),
      },
      { input: g.json },
    ),
  }),
  'notification/send': object({
    type: g.oneOf('notification/send'),
    callId: g.string,
    cellId: g.string,
    text: g.string,
  }),
});

const message = g.tagged<HostMessage>('type', {
  'connection/ready': object({
    type: g.oneOf('connection/ready'),
    selectedVersion: g.integer(0, 2 ** 32 - 1),
    capabilities: g.capabilityNames,
  }),
  'connection/rejected': object({ type: g.oneOf('connection/rejected'), reason: rejection }),
  'operation/response': object({ type: g.oneOf('operation/response'), id: g.id, result: outcomeOf(operationValue) }),
  'execute/initialResponse': object({
    type: g.oneOf('execute/initialResponse'),
    id: g.id,
    result: outcomeOf(runtimeResponse),
  }),
  'cell/closed': object({ type: g.oneOf('cell/closed'), sessionId: g.identifier, cellId: g.string }),
  'delegate/request': object({
    type: g.oneOf('delegate/request'),
    id: g.id,
    sessionId: g.identifier,
    request: delegateRequest,
  }),
  'delegate/cancel': object({ type: g.oneOf('delegate/cancel'), id: g.id }),
});

/** What a host sent, or `protocol-error` with the place of the first fault. */
export function parseHostMessage(value: unknown): HostMessage {
  return message(value, '');
}
