import type { RequestContext } from '../connection/index.js';
import {
  canonicalizeParams,
  closeParams,
  copyParams,
  createDirectoryParams,
  type EnvironmentInfo,
  type Guard,
  getMetadataParams,
  type Method,
  noParams,
  openParams,
  readBlockParams,
  readDirectoryParams,
  readFileParams,
  readParams,
  readParamsWith,
  removeParams,
  resizeParams,
  signalParams,
  startParams,
  terminateParams,
  walkParams,
  writeBlockParams,
  writeFileParams,
  writeParams,
} from '../wire/index.js';
import { copy } from './file-copy.js';
import type { FileHandles } from './file-handles.js';
import { remove } from './file-removal.js';
import { walk } from './file-walk.js';
import { canonicalize, createDirectory, getMetadata, readDirectory, readFile, writeFile } from './files.js';
import type { PathRules } from './path-uri.js';
import type { ProcessTable } from './process-table.js';

/** What a request can reach. */
export interface Scope {
  readonly processes: ProcessTable;
  readonly handles: FileHandles;
  readonly paths: PathRules;
  readonly environmentInfo: () => EnvironmentInfo;
  readonly context: RequestContext;
}

export interface Operation {
  /** Reads the params, or throws; the work comes later. */
  readonly prepare: (params: unknown) => (scope: Scope) => Promise<unknown>;
  /** Starts when everything in order before it, on its connection, has ended. */
  readonly inOrder: boolean;
}

const free = <P>(guard: Guard<P>, run: (params: P, scope: Scope) => Promise<unknown>): Operation => ({
  prepare: (given) => {
    const params = readParamsWith(guard, given);
    return (scope) => run(params, scope);
  },
  inOrder: false,
});

const inOrder = <P>(guard: Guard<P>, run: (params: P, scope: Scope) => Promise<unknown>): Operation => ({
  ...free(guard, run),
  inOrder: true,
});

/** Nobody waits for the answer, or everything is over but the answers: no use in waiting for more. */
const hurry = ({ context }: Scope): AbortSignal[] => [context.signal, context.inputEnded];

/** A read that waits also makes room for others: its client asks again. */
const yielding = (scope: Scope): AbortSignal[] => [...hurry(scope), scope.context.crowded];

/** Every method but `initialize`. */
export const operations: Readonly<Record<Exclude<Method, 'initialize'>, Operation>> = {
  'process/start': inOrder(startParams, async (params, { processes, context }) => {
    const started = await processes.start(params);
    context.afterResponse(() => started.announce());
    return { processId: params.processId, sandboxType: 'none' };
  }),
  'process/read': free(readParams, (params, scope) =>
    scope.processes.read(params, yielding(scope), scope.context.reserve),
  ),
  'process/write': free(writeParams, async (params, scope) => ({
    status: await scope.processes.write(params, {
      over: hurry(scope),
      crowded: scope.context.crowded,
      moved: scope.context.moved,
    }),
  })),
  'process/terminate': free(terminateParams, async (params, { processes }) => ({
    running: processes.terminate(params),
  })),
  'process/signal': free(signalParams, async ({ processId }, { processes }) => {
    processes.interrupt(processId);
    return {};
  }),
  'process/resize': free(resizeParams, async (params, { processes }) => {
    processes.resize(params);
    return {};
  }),
  'fs/readFile': inOrder(readFileParams, (params, { paths, context }) => readFile(params, paths, context)),
  'fs/writeFile': inOrder(writeFileParams, (params, { paths }) => writeFile(params, paths)),
  'fs/createDirectory': inOrder(createDirectoryParams, (params, { paths }) => createDirectory(params, paths)),
  'fs/getMetadata': inOrder(getMetadataParams, (params, { paths }) => getMetadata(params, paths)),
  'fs/readDirectory': inOrder(readDirectoryParams, (params, { paths, context }) =>
    readDirectory(params, paths, context),
  ),
  'fs/remove': inOrder(removeParams, (params, { paths, context }) => remove(params, paths, context)),
  'fs/copy': inOrder(copyParams, (params, { paths, context }) => copy(params, paths, context)),
  'fs/canonicalize': inOrder(canonicalizeParams, (params, { paths }) => canonicalize(params, paths)),
  'fs/open': inOrder(openParams, (params, { handles, paths }) => handles.open(params, paths)),
  'fs/readBlock': inOrder(readBlockParams, (params, { handles, context }) => handles.readBlock(params, context)),
  'fs/writeBlock': inOrder(writeBlockParams, (params, { handles }) => handles.writeBlock(params)),
  'fs/close': inOrder(closeParams, (params, { handles }) => handles.close(params)),
  'fs/walk': inOrder(walkParams, (params, { paths, context }) => walk(params, paths, context)),
  'environment/info': free(noParams, (_params, { environmentInfo }) => Promise.resolve(environmentInfo())),
  'environment/status': free(noParams, () => Promise.resolve({ status: 'ready' })),
};
