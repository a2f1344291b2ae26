import { Host, type HostEvent, ownHost } from '../supervisor/host.js';
import { type CellOutcome, runCell } from '../supervisor/run-cell.js';
import type { Session } from '../supervisor/session.js';
import type { RunArguments } from './arguments.js';
import { type CellInput, loadCells } from './cell-source.js';
import { reportingDelegate } from './delegate.js';
import { exitCodeOfOutcome, exitCodes, isOfCell } from './exit-code.js';
import { unsetVariableText } from './messages.js';
import { preparedCells, type ReadyCell } from './prepared-cells.js';
import type { Reporter } from './reporter.js';
import { ToolSources } from './tool-sources.js';
import type { Trace } from './trace.js';
import { typeFailure } from './type-check.js';

const BYTES_PER_MB = 1_048_576;
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
    // The host is killed in any case; the last is for one that wants to say goodbye.
    limits: { openMs: args.handshakeTimeoutMs, executeMs: args.handshakeTimeoutMs, shutdownMs: SHUTDOWN_MS },
    onEvent: (event: HostEvent) => {
      trace.host(event);
      reporter.host(event);
    },
  });
  for (const [name, value] of Object.entries(args.env)) {
    if (value === undefined && process.env[name] === undefined) reporter.warning(unsetVariableText(name));
  }
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
    const began = performance.now();
    let cellId: string | null = null;
    const outcome = await runCell(session, {
      source: cell.source,
      tools: sources.toolbox.definitions,
      timeoutMs,
      ...(yieldTimeMs === undefined ? {} : { yieldTimeMs }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      onStarted: (id) => {
        cellId = id;
        reporter.started(cell, id);
      },
      onContent: (items, id) => reporter.content(items, id),
    }).catch((error: unknown) => failedByHost(error, cellId, performance.now() - began));
    reporter.result(cell, outcome);
    if (outcome.status !== 'completed') return exitCodeOfOutcome(outcome);
  }
  return reporter.incomplete ? exitCodes.failed : exitCodes.completed;
}

/** A host that cannot send what a cell has put out has ended that cell and nothing else. */
function failedByHost(error: unknown, cellId: string | null, ms: number): CellOutcome {
  if (cellId === null || !isOfCell(error)) throw error;
  return { status: 'failed', cellId, ms, errorText: error.message };
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
