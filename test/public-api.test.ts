import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

// What users build on, written out and not derived. A change here is a change for them: it needs a line in the changelog.

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = (file: string): Promise<Record<string, unknown>> => import(pathToFileURL(join(root, file)).href);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;

test('the names that the library exports', async () => {
  assert.deepEqual(Object.keys(await load('dist/index.js')).sort(), [
    'CodemodeError',
    'DEFAULT_CELL_TIMEOUT_MS',
    'DEFAULT_CELL_YIELD_MS',
    'ExecContract',
    'Host',
    'McpServers',
    'Toolbox',
    'answerForError',
    'cellDeclarations',
    'checkCell',
    'checkCells',
    'commandTools',
    'describe',
    'errorCodes',
    'execTool',
    'findingCodes',
    'loadMcpConfig',
    'loadTools',
    'ownHost',
    'parseExecInput',
    'parseMcpConfig',
    'prepareCell',
    'runCell',
    'schemaType',
    'stripTypes',
    'toolDeclaration',
    'toolSearch',
    'waitTool',
  ]);
});

test('the names that the exec-server exports', async () => {
  assert.deepEqual(Object.keys(await load('dist/exec-server.js')).sort(), ['ExecServer', 'ExecServerClient']);
});

test('the types that signatures mention can be imported by name, and no more of the protocol', () => {
  const text = readFileSync(join(root, 'dist/types/index.d.ts'), 'utf8');
  const exported = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().replace(/^type /, '')),
  );
  const fromProtocol = /export type \{([^}]*)\} from '\.\/protocol\/message\.js'/.exec(text)?.[1] ?? '';
  assert.deepEqual(
    fromProtocol
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    ['CellExecutionLimits', 'ContentItem', 'ImageDetail', 'ToolDefinition', 'ToolKind', 'ToolName'],
  );
  for (const name of ['Describable', 'Dialect', 'SchemaTypeOptions', 'Tool', 'ToolContext', 'ToolSearchAnswer']) {
    assert.ok(exported.includes(name), name);
  }
  assert.doesNotMatch(text, /export type \*/);
});

test('the types that signatures of the exec-server mention can be imported by name, and nothing inside it is shown', () => {
  const types = (file: string): string => readFileSync(join(root, 'dist/types/exec-server', file), 'utf8');
  const exported = ['index.d.ts', 'client/index.d.ts'].flatMap((file) =>
    [...types(file).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim().replace(/^type /, '')),
    ),
  );
  assert.deepEqual(exported.filter((name) => name !== '').sort(), [
    'CallOptions',
    'CloseOptions',
    'ClosedEvent',
    'ConnectionHost',
    'DirectoryEntry',
    'EnvironmentInfo',
    'EnvironmentPolicy',
    'ExecServer',
    'ExecServerClient',
    'ExecServerOptions',
    'ExitedEvent',
    'FileClient',
    'FileMetadata',
    'FileOptions',
    'GapEvent',
    'InProcessOptions',
    'OpenOptions',
    'OutputEvent',
    'OutputStream',
    'ProcessEvent',
    'ProcessOutput',
    'ReadOptions',
    'RemoteFile',
    'RemoteProcess',
    'StartOptions',
    'StdioOptions',
    'TerminateOptions',
    'TerminateResult',
    'WalkEntry',
    'WalkOptions',
    'WalkResult',
    'WebSocketOptions',
    'WriteOptions',
    'WriteStatus',
  ]);
  const members = (text: string): string[] =>
    [...text.matchAll(/^ {4}(?:get |readonly )?([\w[\].]+)\(/gm)].map(([, name = '']) => name);
  assert.deepEqual(members(types('server/exec-server.d.ts')), [
    'constructor',
    'environmentInfo',
    'close',
    '[Symbol.dispose]',
  ]);
  assert.doesNotMatch(types('client/connect-options.d.ts'), /connectionOptions|handle/);
});

test('the names that the protocol exports', async () => {
  assert.deepEqual(Object.keys(await load('dist/protocol.js')).sort(), [
    'DEFAULT_OUTPUT_TOKENS',
    'DEFAULT_YIELD_MS',
    'FRAME_HEADER_BYTES',
    'FrameDecoder',
    'MAX_CELLS',
    'MAX_DELEGATE_CALLS',
    'MAX_DELEGATE_CALLS_NEGOTIATED',
    'MAX_FRAME_BYTES',
    'MAX_HELLO_BYTES',
    'MAX_HOST_JSON_DEPTH',
    'MAX_JSON_DEPTH',
    'MAX_REQUESTS',
    'PROTOCOL_VERSION',
    'REMEMBERED_IDS',
    'YIELD_GRACE_MS',
    'answerHello',
    'capabilities',
    'checkFrameLength',
    'clientHello',
    'encodeFrame',
    'isCapability',
    'jsonCodec',
    'parseClientMessage',
    'parseHostMessage',
  ]);
});

test('what the package offers, by its own name too', async () => {
  assert.deepEqual(manifest.exports, {
    '.': { types: './dist/types/index.d.ts', default: './dist/index.js' },
    './exec-server': { types: './dist/types/exec-server/index.d.ts', default: './dist/exec-server.js' },
    './protocol': { types: './dist/types/protocol/index.d.ts', default: './dist/protocol.js' },
    './package.json': './package.json',
  });
  assert.deepEqual(manifest.bin, { 'codemode-run': 'bin/codemode-run.js', 'codemode-host': 'bin/codemode-host.js' });
  assert.deepEqual(manifest.files, ['bin', 'dist', 'docs', 'examples', 'CHANGELOG.md', 'CONTRIBUTING.md']);
  assert.deepEqual([manifest.name, manifest.type, manifest.engines], ['codemode-run', 'module', { node: '>=20.19' }]);
  const [name, protocol]: string[] = ['codemode-run', 'codemode-run/protocol'];
  assert.equal(await import(name ?? ''), await load('dist/index.js'));
  assert.equal(await import(protocol ?? ''), await load('dist/protocol.js'));
});

test('everything that the package points at is there', () => {
  const leaves = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves);
  const targets = leaves([manifest.exports, manifest.bin]);
  assert.equal(targets.length, 9);
  for (const target of targets) assert.ok(existsSync(join(root, target)), target);
  for (const name of ['codemode-run', 'codemode-host']) {
    const file = join(root, 'bin', `${name}.js`);
    assert.equal(statSync(file).mode & 0o100, 0o100, file);
    assert.ok(readFileSync(file, 'utf8').startsWith('#!/usr/bin/env node\n'), file);
  }
});

test('a user gets no dependency, and no install script', () => {
  const scripts = manifest.scripts as Record<string, string>;
  assert.equal(manifest.dependencies, undefined);
  for (const name of ['preinstall', 'install', 'postinstall']) assert.equal(scripts[name], undefined);
});

test('the codes of errors, each with a sentence', async () => {
  const { errorCodes, CodemodeError } = (await load('dist/index.js')) as unknown as typeof import('../src/index.js');
  assert.deepEqual(Object.keys(errorCodes), [
    'spawn-failed',
    'handshake-timeout',
    'handshake-failed',
    'handshake-rejected',
    'version-mismatch',
    'protocol-error',
    'host-exited',
    'host-closed',
    'write-failed',
    'queue-full',
    'connection-closed',
    'connect-failed',
    'connect-timeout',
    'connection-lost',
    'mcp-server-failed',
    'operation-failed',
    'operation-timeout',
    'cancelled',
    'session-closed',
    'stale-cell',
    'unsupported',
    'frame-too-large',
    'internal-error',
    'invalid-argument',
  ]);
  for (const sentence of Object.values(errorCodes)) assert.match(sentence, /^[A-Z].*\.$/);
  const error = new CodemodeError('cancelled', 'words', { cause: 1, data: { pid: 2 } });
  assert.ok(error instanceof Error);
  assert.deepEqual([error.name, error.code, error.message, error.cause], ['CodemodeError', 'cancelled', 'words', 1]);
  assert.deepEqual(error.data, { pid: 2 });
});

test('the limits that calls have when nobody says otherwise', async () => {
  const library = (await load('dist/index.js')) as unknown as typeof import('../src/index.js');
  const protocol = (await load('dist/protocol.js')) as unknown as typeof import('../src/protocol/index.js');
  assert.deepEqual([library.DEFAULT_CELL_TIMEOUT_MS, library.DEFAULT_CELL_YIELD_MS], [600_000, 250]);
  assert.deepEqual(
    [protocol.PROTOCOL_VERSION, protocol.MAX_FRAME_BYTES, protocol.MAX_HELLO_BYTES],
    [1, 67_108_864, 65_536],
  );
  assert.deepEqual(protocol.capabilities, [
    'bounded-output-v1',
    'delegate-capacity-4096',
    'msgpack-frames-v1',
    'session-cell-execution-resource-limits',
    'tool-catalog-revision-v1',
    'yield-observation',
  ]);
});

test('the numbers that the command line exits with', async () => {
  const { exitCodes, exitCodeOfSignal } = await import('../src/cli/exit-code.js');
  assert.deepEqual(exitCodes, { completed: 0, failed: 1, usage: 2, host: 3, limit: 4 });
  assert.deepEqual((['SIGHUP', 'SIGINT', 'SIGPIPE', 'SIGTERM'] as const).map(exitCodeOfSignal), [129, 130, 141, 143]);
});

test('five names never reach a host, whatever is asked for', async () => {
  const { hostEnvironment } = await import('../src/process/environment.js');
  const names = [
    'CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN',
    'NODE_REPL_AUTH_TOKEN',
    'OPENAI_FEDERATION_RULE_ID',
    'OPENAI_IDENTITY_TOKEN_FILE',
    'OPENAI_WORKLOAD_IDENTITY_CONTEXT',
  ];
  const source = Object.fromEntries(
    names.flatMap((name) => [
      [name, 'x'],
      [name.toLowerCase(), 'x'],
    ]),
  );
  for (const inherit of [true, false]) {
    assert.deepEqual(Object.keys(hostEnvironment({ source, inherit, set: source, platform: 'linux' })), []);
  }
});

test('without a word from the user, a host gets this of our environment', async () => {
  const { hostEnvironment } = await import('../src/process/environment.js');
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'LC_ALL', 'LC_CTYPE'];
  const others = ['USER', 'SHELL', 'PWD', 'NODE_OPTIONS', 'LD_PRELOAD', 'SSH_AUTH_SOCK', 'OPENAI_API_KEY', 'lang'];
  const source = Object.fromEntries([...names, ...others].map((name) => [name, 'x']));
  assert.deepEqual(Object.keys(hostEnvironment({ source, platform: 'linux' })).sort(), [...names].sort());
});
