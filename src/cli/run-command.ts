import { Host, type HostEvent, ownHost } from '../supervisor/host.js';
import { runCell } from '../supervisor/run-cell.js';
import type { Session } from '../supervisor/session.js';
import type { RunArguments } from './arguments.js';
import { type CellInput, loadCells } from './cell-source.js';
import { reportingDelegate } from './delegate.js';
import { exitCodeOfOutcome, exitCodes } from './exit-code.js';
import { preparedCells, type ReadyCell } from './prepared-cells.js';
import type { Reporter } from './reporter.js';
import { ToolSources } from './tool-sources.js';
import type { Trace } from './trace.js';
import { typeFailure } from './type-check.js';

const BYTES_PER_MB = 1_048_576;
const OPEN_MS = 30_000;
const SHUTDOWN_MS = 1_000;

/** Runs the cells in one session, in order, up to the first that does not complete; the result is the exit code. */
export async function runCommand(
  args: RunArguments,
  reporter: Reporter,
  trace: Trace,
  input: CellInput,
): Promise<number> {
  await using host = new Host({
    ...hostProgram(args),
    env: { inherit: args.inheritEnv, set: args.env },
    handshakeTimeoutMs: args.handshakeTimeoutMs,
    // The host is killed in any case; this is for one that wants to say goodbye.
    limits: { openMs: OPEN_MS, executeMs: OPEN_MS, shutdownMs: SHUTDOWN_MS },
    onEvent: (event: HostEvent) => {
      trace.host(event);
      reporter.host(event);
    },
  });
  // The host boots while we read what the user gave us, and while MCP servers start.
  const connecting = host.connect();
  connecting.catch(() => {});
  // What tools have started ends with the run.
  await using sources = new ToolSources(args, {
    cwd: input.cwd,
    limits: { callsPerCell: args.maxCalls, callsInFlight: args.maxCallsInFlight },
    reporter,
    trace,
  });
  const loading = loadInputs(args, input, sources);
  loading.catch(() => {});
  // A mistake of the user's comes first; but nobody should have to end their input to hear that there is no host.
  const readsStdin = args.cells.some((cell) => cell.kind === 'file' && cell.name === '-');
  const cells = await (readsStdin ? Promise.race([loading, connecting.then(() => loading)]) : loading);
  if (args.check) {
    const failure = await typeFailure(cells, sources.toolbox, { compiler: args.compiler, cwd: input.cwd });
    if (failure !== null) {
      reporter.error(failure);
      return exitCodes.failed;
    }
  }
  await connecting;
  const limits = args.maxHeapMb === undefined ? {} : { limits: { maxHeapSizeBytes: args.maxHeapMb * BYTES_PER_MB } };
  const session = await host.openSession({
    delegate: reportingDelegate(() => sources.toolbox, reporter, trace),
    truncateOutput: args.maxOutputTokens !== undefined,
    ...limits,
  });
  return await runCells(session, cells, sources, args, reporter);
}

async function runCells(
  session: Session,
  cells: readonly ReadyCell[],
  sources: ToolSources,
  args: RunArguments,
  reporter: Reporter,
): Promise<number> {
  const { timeoutMs, yieldTimeMs, maxOutputTokens } = args;
  for (const cell of cells) {
    await sources.refresh();
    reporter.next(cell);
    // Not before there is a host: why that did not start is more to the point.
    if (cell.findings.length > 0) reporter.findings(cell, cell.findings);
    const outcome = await runCell(session, {
      source: cell.source,
      tools: sources.toolbox.definitions,
      timeoutMs,
      ...(yieldTimeMs === undefined ? {} : { yieldTimeMs }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      onStarted: (cellId) => reporter.started(cell, cellId),
      onContent: (items, cellId) => reporter.content(items, cellId),
    });
    reporter.result(cell, outcome);
    if (outcome.status !== 'completed') return exitCodeOfOutcome(outcome);
  }
  return exitCodes.completed;
}

const hostProgram = ({ host, hostArgs }: RunArguments): { program: string; args: readonly string[] } => {
  if (host !== undefined) return { program: host, args: hostArgs };
  const own = ownHost();
  return { program: own.program, args: [...own.args, ...hostArgs] };
};

async function loadInputs(args: RunArguments, input: CellInput, sources: ToolSources): Promise<ReadyCell[]> {
  const cells = await loadCells(args.cells, input);
  await sources.ready;
  return await preparedCells(cells, sources.toolbox, args.preflight);
}
