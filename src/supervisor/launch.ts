import type { PeerEnd } from '../connection/bytes.js';
import { connect } from '../connection/connect.js';
import type { Connection } from '../connection/connection.js';
import { hostEnvironment } from '../process/environment.js';
import { describeExit } from '../process/exit-status.js';
import type { HostProcess } from '../process/host-process.js';
import { startHost } from '../process/spawn.js';
import type { HostInfo, ResolvedOptions } from './host-options.js';
import { asFailure, withDirectory, withFacts } from './messages.js';

/** A host that runs and has shaken hands. */
export interface LiveHost {
  readonly process: HostProcess;
  readonly connection: Connection;
  readonly info: HostInfo;
}

/** Starts the program and shakes hands with it. When this fails, the process is gone before anybody hears of it. */
export async function launch(options: ResolvedOptions, signal: AbortSignal): Promise<LiveHost> {
  const { inherit = false, set = {} } = options.env ?? {};
  const host = await startHost({
    command: {
      program: options.program,
      args: options.args,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    },
    env: hostEnvironment({ inherit, set }),
    signal,
    onStderrLine: (line) => options.onEvent({ type: 'stderr', line }),
  }).catch((error: unknown) => {
    // Who named no directory has made no mistake with it.
    throw options.cwd === undefined ? error : withDirectory(asFailure(error));
  });
  const { pid, program } = host;
  const ended = watch(host);
  void ended.then(({ status }) => options.onEvent({ type: 'exited', pid, status }));
  // In the same tick as the start: nothing that the host says may be missed.
  const connecting = connect({
    source: host.stdout,
    sink: host.stdin,
    ended,
    offer: options.capabilities,
    handshakeTimeoutMs: options.handshakeTimeoutMs,
    limits: options.limits,
    facts: () => ({ pid, program, stderr: host.stderr.text() }),
    signal,
  });
  options.onEvent({ type: 'spawned', pid, program });
  try {
    const { connection, version } = await connecting;
    const info: HostInfo = {
      pid,
      program,
      version,
      capabilities: connection.capabilities,
      codec: connection.codec,
      handshakeMs: performance.now() - host.startedAt,
    };
    options.onEvent({ type: 'ready', ...info });
    return { process: host, connection, info };
  } catch (error) {
    const exit = host.exitStatus();
    const elapsedMs = performance.now() - host.startedAt;
    await host.dispose();
    throw withFacts(asFailure(error), {
      program,
      pid,
      exit,
      elapsedMs,
      stderr: host.stderr.text(),
    });
  }
}

/** The process's end as the connection wants to hear of it. */
async function watch(host: HostProcess): Promise<PeerEnd> {
  const exit = await host.exited;
  return {
    status: describeExit(exit),
    bySignal: exit.signal !== null,
    data: { pid: host.pid, program: host.program, exit, stderr: host.stderr.text() },
  };
}
