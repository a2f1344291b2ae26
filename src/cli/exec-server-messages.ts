// Every sentence that `codemode-run exec-server` says to people. Where the reference has one, it is the reference's.

export const unsupportedListenText = (url: string): string =>
  `unsupported --listen URL \`${url}\`; expected \`ws://IP:PORT\` or \`stdio\``;
export const invalidListenText = (url: string): string =>
  `invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``;
export const authNeedsModeText =
  'websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`';
export const authModeText = (given: string): string =>
  `--ws-auth must be \`capability-token\` or \`signed-bearer-token\`, got ${JSON.stringify(given)}`;
export const tokenSourceText =
  '`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set';
export const tokenSourcesText = '`--ws-token-file` and `--ws-token-sha256` are mutually exclusive';
export const secretSourceText = '`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set';
export const authWithStdioText = 'WebSocket auth requires a WebSocket listener, not stdio';
export const foreignAuthOptionText = (option: string, mode: string): string =>
  `${option} can not be used with \`--ws-auth ${mode}\``;
export const surplusArgumentText = (given: string): string => `exec-server takes no argument: ${JSON.stringify(given)}`;
export const openToAllText = (url: string): string =>
  `warning: ${url} can be reached from other machines, and whoever connects can run anything: use --ws-auth`;
export const lostConnectionText = (peer: string, reason: string): string => `${peer}: connection closed: ${reason}`;
export const badTokenFileText = (file: string, problem: string): string =>
  `cannot use --auth-token-file ${file}: ${problem}`;
export const emptyTokenText = 'it is empty';
export const stdioPeer = 'stdio';
export const usageHintText = 'Try codemode-run exec-server --help.';

export const execServerHelp = `codemode-run exec-server [options]

Starts and controls processes and reads and writes files for a client, over JSON-RPC. Whoever gets through the
handshake can run anything as this user.

  --listen URL               ws://IP:PORT, or stdio  [default: ws://127.0.0.1:0]
                             The address, with its port, is the only line on stdout
  --concurrent-requests N    Requests of one connection under way at once, from 1  [default: 1024]
  --detached-ttl SECONDS     How long the processes of a lost WebSocket go on, so that its client can come back;
                             0 ends them with it  [default: 80]
  --accept-native-paths      Take absolute paths where a file: URI is expected, too
  --auth-token-file FILE     Ask for the token in this file in \`initialize\`
  --no-process-marks         Start processes without a mark (\`CODEMODE_EXEC_PROCESS\`, or a limit of file locks where the
                             environment was given in full); then one that leaves its session and loses its parents
                             may outlive its end
  --ws-auth MODE             capability-token or signed-bearer-token, asked for when a WebSocket is opened
  --ws-token-file FILE       The capability token, or
  --ws-token-sha256 HEX      its SHA-256 digest
  --ws-shared-secret-file F  The secret of signed tokens (JWT, HS256), at least 32 bytes
  --ws-issuer TEXT           What their \`iss\` must be
  --ws-audience TEXT         What their \`aud\` must be, or contain
  --ws-max-clock-skew-seconds N  How far clocks may differ  [default: 30]
  -h, --help                 Show this help
  --version                  Show the version

Exit codes:
  0  the client of stdio has left, or SIGINT, SIGTERM or SIGHUP has ended the server
  1  it could not be started as it was asked for, or has failed
  2  usage`;
