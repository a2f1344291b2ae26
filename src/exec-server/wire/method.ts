/** Every request method that this package's server answers, and the word for its family in errors of the handshake. */
export const methods = {
  initialize: 'initialize',
  'process/start': 'exec',
  'process/read': 'exec',
  'process/write': 'exec',
  'process/terminate': 'exec',
  'process/signal': 'exec',
  'process/resize': 'exec',
  'fs/readFile': 'filesystem',
  'fs/writeFile': 'filesystem',
  'fs/createDirectory': 'filesystem',
  'fs/getMetadata': 'filesystem',
  'fs/readDirectory': 'filesystem',
  'fs/remove': 'filesystem',
  'fs/copy': 'filesystem',
  'fs/canonicalize': 'filesystem',
  'fs/open': 'filesystem',
  'fs/readBlock': 'filesystem',
  'fs/writeBlock': 'filesystem',
  'fs/close': 'filesystem',
  'fs/walk': 'filesystem',
  'environment/info': 'environment info',
  'environment/status': 'environment info',
} as const;

export type Method = keyof typeof methods;

export const isMethod = (name: string): name is Method => Object.hasOwn(methods, name);

export const notifications = {
  initialized: 'initialized',
  output: 'process/output',
  exited: 'process/exited',
  closed: 'process/closed',
} as const;
