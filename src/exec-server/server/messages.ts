// Every sentence the server says. The spelling is the reference's where it has one; clients and tests know it.

export const unimplementedText = (method: string): string => `exec-server stub does not implement \`${method}\` yet`;
export const initializeTwiceText = 'initialize may only be sent once per connection';
export const initializeFirstText = (family: string): string =>
  `client must call initialize before using ${family} methods`;
export const initializedFirstText = (family: string): string =>
  `client must send initialized before using ${family} methods`;
export const earlyInitializedText = 'received `initialized` notification before `initialize`';
export const unexpectedNotificationText = (method: string): string => `unexpected notification \`${method}\``;
export const badTokenText = 'invalid exec-server auth token';
export const tooManyTokensText = 'too many failed authentication attempts';
export const unknownSessionText = (id: string): string => `unknown session id ${id}`;
export const attachedText = (id: string): string => `session ${id} is already attached to another connection`;
export const shuttingDownText = 'the exec-server is shutting down';

export const emptyArgvText = 'argv must not be empty';
export const duplicateProcessText = (id: string): string => `process ${id} already exists`;
export const unknownProcessText = (id: string): string => `unknown process id ${id}`;
export const longProcessIdText = (limit: number): string => `processId must not exceed ${limit} bytes`;
export const tooManyProcessesText = (limit: number): string => `at most ${limit} processes may run in one session`;
export const emptyWriteIdText = 'writeId must not be empty';
export const stdinFullText = (id: string): string => `too many writes are waiting for process ${id} to read its stdin`;
export const notTerminalText = (id: string): string => `process ${id} has no terminal`;
export const sandboxText = 'sandboxed execution is not supported by this exec-server';
export const managedNetworkText = 'managed networks are not supported by this exec-server';

export const missingProgramText = (how: 'pipe' | 'PTY'): string => `missing program for ${how} spawn`;
export const nulArgumentText = 'nul byte found in provided data';
export const nulVariableText = 'data provided contains a nul byte';
export const noTerminalsText = (why: string): string =>
  `tty: true needs the package @lydell/node-pty, which could not be loaded on this exec-server: ${why}`;
export const terminalArg0Text = 'arg0 together with tty needs bash, which this exec-server does not find';

export const relativeUriText = 'invalid URI: relative URL without a base';
export const uriSchemeText = (scheme: string): string => `unsupported path URI scheme \`${scheme}\``;
export const uriQueryText = 'query parameters are not allowed in path URIs';
export const uriFragmentText = 'fragments are not allowed in path URIs';
export const foreignUriText = (uri: string, platform: string): string => `'${uri}' is invalid on '${platform}'`;
export const foreignCwdText = (uri: string, reason: string): string =>
  `cwd URI \`${uri}\` is not valid on this exec-server host: ${reason}`;

export const notFileText = (path: string): string => `path \`${path}\` is not a file`;
export const largeFileText = (limit: number): string => `file is too large to read: limit is ${limit} bytes`;
export const writeFileBase64Text = (why: string): string => `fs/writeFile requires valid base64 dataBase64: ${why}`;
export const copyNeedsRecursiveText = 'fs/copy requires recursive: true when sourcePath is a directory';
export const copyIntoItselfText = 'fs/copy cannot copy a directory to itself or one of its descendants';
export const copySameFileText = 'fs/copy source and destination are the same file';
export const copyKindText = 'fs/copy only supports regular files, directories, and symlinks';
export const handleExistsText = (id: string): string => `file handle \`${id}\` already exists`;
export const unknownHandleText = (id: string): string => `unknown file handle \`${id}\``;
export const longHandleText = (limit: number): string => `file handle ID must not exceed ${limit} bytes`;
export const handleLimitText = (limit: number): string => `at most ${limit} file handles may be open per connection`;
export const readLengthText = (limit: number): string => `file read block length must be between 1 and ${limit}`;
export const writeLengthText = (limit: number): string => `file write block length must be between 1 and ${limit}`;
export const walkZeroText = 'filesystem walk limits must be greater than zero';
export const walkLimitText = (depth: number, directories: number, entries: number): string =>
  `filesystem walk limits exceed maximums: depth=${depth}, directories=${directories}, entries=${entries}`;
export const linkInPathText = 'path contains a symbolic link';
export const noFollowRemovalText = 'recursive no-follow removal is unsupported';

export const handshakeLimitText = (ms: number): string => `the handshake took longer than ${ms} ms`;
