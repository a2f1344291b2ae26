import type { CodemodeError } from '../../../src/errors.js';
import {
  type MessageChannel,
  memoryChannels,
  type RequestContext,
  RpcConnection,
  type RpcConnectionOptions,
} from '../../../src/exec-server/connection/index.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';
import { deferred, RawPeer } from './raw-peer.js';

export type Answer = (params: unknown, context: RequestContext, connection: RpcConnection) => unknown;

/** A server whose methods are those of the test. Everything else is unknown, and every notification is noted. */
export class Served {
  readonly connection: RpcConnection;
  readonly notifications: string[] = [];
  readonly started: string[] = [];
  readonly closed: Promise<CodemodeError | undefined>;
  closings = 0;

  constructor(
    channel: MessageChannel,
    methods: { readonly [name: string]: Answer } = {},
    options: Partial<RpcConnectionOptions> & { readonly notification?: (method: string) => void } = {},
  ) {
    const { notification, ...rest } = options;
    const closed = deferred<CodemodeError | undefined>();
    this.closed = closed.promise;
    const handler = (connection: RpcConnection) => ({
      request: async (method: string, params: unknown, context: RequestContext) => {
        this.started.push(method);
        const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
        if (answer === undefined) throw new RpcError(-32601, `unknown ${method}`);
        return await answer(params, context, connection);
      },
      notification: (method: string) => {
        this.notifications.push(method);
        notification?.(method);
      },
      closed: (reason: CodemodeError | undefined) => {
        this.closings++;
        closed.resolve(reason);
      },
    });
    this.connection = new RpcConnection(channel, handler, { role: 'server', ...rest });
  }
}

/** Such a server and its raw peer in one process. */
export function servedInMemory(...rest: DropFirst<ConstructorParameters<typeof Served>>): {
  served: Served;
  peer: RawPeer;
} {
  const [ours, theirs] = memoryChannels();
  return { served: new Served(ours, ...rest), peer: new RawPeer(theirs) };
}

type DropFirst<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;
