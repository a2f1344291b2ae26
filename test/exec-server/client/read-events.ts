import type { CodemodeError } from '../../../src/errors.js';
import type { ProcessEvent } from '../../../src/exec-server/client/index.js';

/** Events in a form that is easy to compare: output as text. */
export function brief(event: ProcessEvent): string | object {
  if (event.type === 'output')
    return `${event.stream === 'stdout' ? '' : `${event.stream}:`}${Buffer.from(event.bytes)}`;
  if (event.type === 'exited') return { exited: event.code };
  if (event.type === 'gap')
    return { gap: event.missed, ...(event.missedBytes === undefined ? {} : { bytes: event.missedBytes }) };
  return event.type;
}

/** Everything up to the end. */
export async function allEvents(process: AsyncIterable<ProcessEvent>): Promise<(string | object)[]> {
  const events: (string | object)[] = [];
  for await (const event of process) events.push(brief(event));
  return events;
}

/** All output as one text, with what came at the end. */
export async function collect(process: AsyncIterable<ProcessEvent>) {
  let text = '';
  let code: number | null | undefined;
  let missed = 0;
  for await (const event of process) {
    if (event.type === 'output') text += Buffer.from(event.bytes).toString('latin1');
    if (event.type === 'exited') code = event.code;
    if (event.type === 'gap') missed += event.missed;
  }
  return { text, code, missed };
}

export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: CodemodeError) => error.code,
  );
