import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { upgradeTexts } from './messages.js';

/** An HTTP answer that is not a WebSocket. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: string;
  readonly allow?: string;
}

const nothing = (status: number): PlainAnswer => ({ status, body: '' });

/** What a request without `Upgrade` gets, with the reference's words. `loopback`: the server is bound to one. */
export function plainAnswer(request: IncomingMessage, loopback: boolean): PlainAnswer {
  const stranger = strangerAnswer(request, loopback);
  if (stranger !== undefined) return stranger;
  const path = pathOf(request);
  if (path === '/readyz') return readiness(request.method);
  if (path !== '/') return nothing(404);
  if (request.method !== 'GET') return { status: 405, body: upgradeTexts.method };
  return { status: 400, body: upgradeTexts.connection };
}

/** Why a request with `Upgrade` is no WebSocket that this server opens; undefined when only the token is left to see. */
export function upgradeFault(request: IncomingMessage, loopback: boolean): PlainAnswer | undefined {
  const { headers, method } = request;
  const stranger = strangerAnswer(request, loopback);
  if (stranger !== undefined) return stranger;
  const path = pathOf(request);
  if (path === '/readyz') return readiness(method);
  if (path !== '/') return nothing(404);
  if (method !== 'GET') return { status: 405, body: upgradeTexts.method };
  if (headers.upgrade?.toLowerCase() !== 'websocket') {
    return { status: 400, body: upgradeTexts.upgrade };
  }
  if (headers['sec-websocket-version'] !== '13') {
    return { status: 400, body: upgradeTexts.version };
  }
  if (headers['sec-websocket-key'] === undefined) return { status: 400, body: upgradeTexts.key };
  return undefined;
}

/**
 * Browsers send `Origin`, and no page may talk to this server. One that reaches a loopback address under a name of its
 * own (DNS rebinding) shows it in `Host`.
 */
function strangerAnswer({ headers }: IncomingMessage, loopback: boolean): PlainAnswer | undefined {
  if (headers.origin !== undefined) return nothing(403);
  return loopback && headers.host !== undefined && !isLoopbackHost(headers.host) ? nothing(403) : undefined;
}

function readiness(method: string | undefined): PlainAnswer {
  return method === 'GET' || method === 'HEAD' ? nothing(200) : { status: 405, body: '', allow: 'GET,HEAD' };
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split(/[?#]/, 1)[0] ?? '/';

function isLoopbackHost(host: string): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const address = name.replace(/^\[|\]$/g, '');
  return address === 'localhost' || isLoopbackAddress(address);
}

export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
