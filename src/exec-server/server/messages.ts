import { clip } from '../wire/index.js';

// Every sentence the server says. The spelling is the reference's where it has one; clients and tests know it.

/** What came from a client is repeated up to here. */
const shown = (text: string): string => clip(text, 256);

export const unimplementedText = (method: string): string =>
  `exec-server stub does not implement \`${shown(method)}\` yet`;
export const initializeTwiceText = 'initialize may only be sent once per connection';
export const initializeFirstText = (family: string): string =>
  `client must call initialize before using ${family} methods`;
export const initializedFirstText = (family: string): string =>
  `client must send initialized before using ${family} methods`;
export const earlyInitializedText = 'received `initialized` notification before `initialize`';
export const unexpectedNotificationText = (method: string): string => `unexpected notification \`${shown(method)}\``;
export const badTokenText = 'invalid exec-server auth token';
export const tooManyTokensText = 'too many failed authentication attempts';
export const unknownSessionText = (id: string): string => `unknown session id ${shown(id)}`;
export const attachedText = (id: string): string => `session ${id} is already attached to another connection`;
export const shuttingDownText = 'the exec-server is shutting down';

export const emptyArgvText = 'argv must not be empty';
export const duplicateProcessText = (id: string): string => `process ${shown(id)} already exists`;
export const unknownProcessText = (id: string): string => `unknown process id ${shown(id)}`;
export const longWriteIdText = (limit: number): string => `writeId must not exceed ${limit} bytes`;
export const costlyPatternsText =
  'the patterns of envPolicy are too long for the names that they are held against: give fewer or shorter ones';
export const longProcessIdText = (limit: number): string => `processId must not exceed ${limit} bytes`;
export const tooManyProcessesText = (limit: number): string => `at most ${limit} processes may run in one session`;
export const emptyWriteIdText = 'writeId must not be empty';
export const stdinFullText = (id: string, limit: number): string =>
  `too many writes are waiting for process ${id} to read its stdin: the limit is ${limit} bytes; write it again later`;
export const notTerminalText = (id: string): string => `process ${id} has no terminal`;
export const sandboxText = 'sandboxed execution is not supported by this exec-server';
export const notSandboxText = (kind: string): string => `invalid type: ${kind}, expected struct Sandbox`;
export const missingFieldText = (name: string): string => `missing field \`${name}\``;
export const managedNetworkText = 'managed networks are not supported by this exec-server';

export const missingProgramText = (how: 'pipe' | 'PTY'): string => `missing program for ${how} spawn`;
export const nulArgumentText = 'nul byte found in provided data';
export const nulVariableText = 'data provided contains a nul byte';
export const noTerminalsText = (why: string): string =>
  `tty: true needs the package @lydell/node-pty, which could not be loaded on this exec-server: ${why}`;
export const notInstalledText = (name: string, version: string): string =>
  `it is not installed; run \`npm install ${name}@${version}\` where this package is installed`;
export const unsupportedPlatformText = (platform: string): string => `terminals on ${platform} are not supported yet`;
export const strangePackageText = 'the package has another shape than expected';
export const noSetsidText = 'tty: true needs the program setsid of util-linux, which this exec-server does not find';
export const terminalArg0Text = 'arg0 together with tty needs bash, which this exec-server does not find';

export const relativeUriText = 'invalid URI: relative URL without a base';
export const uriSchemeText = (scheme: string): string => `unsupported path URI scheme \`${shown(scheme)}\``;
export const uriQueryText = 'query parameters are not allowed in path URIs';
export const uriFragmentText = 'fragments are not allowed in path URIs';
export const longUriText = (limit: number): string => `path URIs must not exceed ${limit} characters`;
export const notUtf8UriText = 'path URIs must be UTF-8 when their percent sequences are decoded';
export const foreignUriText = (uri: string, platform: string): string => `'${shown(uri)}' is invalid on '${platform}'`;
export const foreignCwdText = (uri: string, reason: string): string =>
  `cwd URI \`${shown(uri)}\` is not valid on this exec-server host: ${reason}`;

export const notFileText = (path: string): string => `path \`${path}\` is not a file`;
export const largeFileText = (limit: number): string => `file is too large to read: limit is ${limit} bytes`;
export const largeDirectoryText = (limit: number): string =>
  `directory has too many entries to list: limit is ${limit}; fs/walk lists a part`;
export const notUtf8NamesText = (names: number): string => `${names} names in it are not UTF-8 and were left out`;
export const notUtf8PathText = 'the path is not UTF-8, so no URI leads to it';
export const removeRootText = 'fs/remove does not remove the root directory';
export const writeFileBase64Text = (why: string): string => `fs/writeFile requires valid base64 dataBase64: ${why}`;
export const copyNeedsRecursiveText = 'fs/copy requires recursive: true when sourcePath is a directory';
export const copyIntoItselfText = 'fs/copy cannot copy a directory to itself or one of its descendants';
export const copySameFileText = 'fs/copy source and destination are the same file';
export const copyKindText = 'fs/copy only supports regular files, directories, and symlinks';
export const handleExistsText = (id: string): string => `file handle \`${shown(id)}\` already exists`;
export const unknownHandleText = (id: string): string => `unknown file handle \`${shown(id)}\``;
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
