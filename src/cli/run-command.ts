import { Host, type HostEvent, ownHost } from '../supervisor/host.js';
import { runCell } from '../supervisor/run-cell.js';
import type { Session } from '../supervisor/session.js';
import { loadTools } from '../tools/load-tools.js';
import { Toolbox } from '../tools/toolbox.js';
import { type CellInput, type CellSource, loadCells } from './cell-source.js';
import { reportingDelegate } from './delegate.js';
import type { OpenedTools } from './exec-server-tools.js';
import { exitCodeOfOutcome, exitCodes } from './exit-code.js';
import type { RunArguments } from './parse-arguments.js';
import type { Reporter } from './reporter.js';

const BYTES_PER_MB = 1_048_576;
const OPEN_MS = 30_000;
const SHUTDOWN_MS = 1_000;

/** Runs the cells in one session, in order, up to the first that does not complete; the result is the exit code. */
export async function runCommand(
  args: RunArguments,
  reporter: Reporter,
  trace: (event: HostEvent) => void,
  input: CellInput,
): Promise<number> {
  await using host = new Host({
    ...hostProgram(args),
    env: { inherit: args.inheritEnv, set: args.env },
    handshakeTimeoutMs: args.handshakeTimeoutMs,
    // The host is killed in any case; this is for one that wants to say goodbye.
    limits: { openMs: OPEN_MS, executeMs: OPEN_MS, shutdownMs: SHUTDOWN_MS },
    onEvent: (event) => {
      trace(event);
      reporter.host(event);
    },
  });
  // The host boots while we read what the user gave us.
  const connecting = host.connect();
  const loading = loadInputs(args, input);
  connecting.catch(() => {});
  loading.catch(() => {});
  // A mistake of the user's comes first; but nobody should have to end their input to hear that there is no host.
  const readsStdin = args.cells.some((cell) => cell.kind === 'file' && cell.name === '-');
  const inputs = await (readsStdin ? Promise.race([loading, connecting.then(() => loading)]) : loading);
  const { cells, toolbox } = inputs;
  // What commands have started ends with the run.
  await using _exec = inputs.exec;
  await connecting;
  const limits = args.maxHeapMb === undefined ? {} : { limits: { maxHeapSizeBytes: args.maxHeapMb * BYTES_PER_MB } };
  const session = await host.openSession({
    delegate: reportingDelegate(toolbox, reporter),
    truncateOutput: args.maxOutputTokens !== undefined,
    ...limits,
  });
  return await runCells(session, cells, toolbox, args, reporter);
}

async function runCells(
  session: Session,
  cells: readonly CellSource[],
  toolbox: Toolbox,
  args: RunArguments,
  reporter: Reporter,
): Promise<number> {
  const { timeoutMs, yieldTimeMs, maxOutputTokens } = args;
  for (const cell of cells) {
    reporter.next(cell);
    const outcome = await runCell(session, {
      source: cell.source,
      tools: toolbox.definitions,
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

interface Inputs {
  readonly cells: CellSource[];
  readonly toolbox: Toolbox;
  readonly exec: OpenedTools | undefined;
}

async function loadInputs(args: RunArguments, input: CellInput): Promise<Inputs> {
  const loadingTools = loadTools(args.tools, { cwd: input.cwd });
  loadingTools.catch(() => {});
  const cells = await loadCells(args.cells, input);
  const tools = await loadingTools;
  const exec = args.exec === undefined ? undefined : await openExec(args.exec, input.cwd);
  return { cells, toolbox: new Toolbox([...tools, ...(exec?.tools ?? [])]), exec };
}

/** Loaded late: most runs have no use for it. */
async function openExec(exec: NonNullable<RunArguments['exec']>, cwd: string): Promise<OpenedTools> {
  const { openExecTools } = await import('./exec-server-tools.js');
  return await openExecTools(exec, cwd);
}
