import { httpTexts } from './messages.js';
import { asFault, ServerFault } from './server-fault.js';

/** Without the query, which may be a secret. */
export const shownUrl = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

/** Why a request over HTTP failed, in words that say what to do. `error` is whatever the transport has thrown. */
export function httpFault(error: unknown, address: URL, inSession: boolean): ServerFault {
  if (error instanceof ServerFault) return error;
  const url = shownUrl(address);
  if (!(error instanceof Error)) return asFault(error);
  if (error instanceof SyntaxError || error.name === 'ZodError') {
    return new ServerFault(httpTexts.notRpc(url), { cause: error, data: { url } });
  }
  const status = 'code' in error && typeof error.code === 'number' ? error.code : undefined;
  if (status === undefined) {
    return new ServerFault(httpTexts.unreachable(url, reasonOf(error)), { cause: error, data: { url } });
  }
  const data = { url, status };
  if (status === 401 || status === 403) return new ServerFault(httpTexts.refused(url, status), { cause: error, data });
  if (status === 404 && inSession) return new ServerFault(httpTexts.sessionLost(url), { cause: error, data });
  if (status > 0) {
    const said = error.message.replace(
      /^Streamable HTTP error: (Error POSTing to endpoint: |Failed to open SSE stream: )?/,
      '',
    );
    return new ServerFault(httpTexts.status(url, status, said), { cause: error, data });
  }
  const type = /Unexpected content type: (.*)$/.exec(error.message)?.[1] ?? error.message;
  return new ServerFault(httpTexts.notMcp(url, type), { cause: error, data: { url } });
}

/** Of a failed connection to several addresses only the parts say something. */
function reasonOf(error: Error): string {
  // Node's word for a response that did not come to its end.
  if (error.message === 'aborted') return httpTexts.brokeOff;
  if (error.message !== '') return error.message;
  if (error instanceof AggregateError) {
    return error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join(', ');
  }
  return 'code' in error ? String(error.code) : error.name;
}
