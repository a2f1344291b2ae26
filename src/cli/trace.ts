import type { McpEvent } from '../mcp/index.js';
import type { HostEvent } from '../supervisor/host.js';
import type { ToolProgress } from '../tools/tool.js';
import {
  deadText,
  eventLine,
  exitedText,
  hostStderrLine,
  mcpLine,
  mcpLogText,
  mcpReadyText,
  mcpStrayText,
  mcpToolsText,
  progressText,
  readyText,
  spawnedText,
} from './messages.js';
import { oneLine } from './printable.js';
import type { ReportedCall } from './reporter.js';

/** What `--verbose` shows, line by line. */
export class Trace {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = (line) => write(oneLine(line));
  }

  readonly host = (event: HostEvent): void => this.#write(traceLine(event));
  readonly mcp = (event: McpEvent): void => this.#write(mcpLine(event.server, mcpText(event)));
  readonly progress = (call: ReportedCall, progress: ToolProgress): void =>
    this.#write(eventLine(progressText(call.name, progress)));
}

function traceLine(event: HostEvent): string {
  switch (event.type) {
    case 'spawned':
      return eventLine(spawnedText(event.program, event.pid));
    case 'ready':
      return eventLine(readyText(event.version, event.codec, event.capabilities, event.handshakeMs));
    case 'stderr':
      return hostStderrLine(event.line);
    case 'dead':
      return eventLine(deadText(event.error.message));
    case 'exited':
      return eventLine(exitedText(event.pid, event.status));
  }
}

function mcpText(event: McpEvent): string {
  switch (event.type) {
    case 'ready':
      return mcpReadyText(event.name, event.version, event.tools, event.ms);
    case 'failed':
    case 'ended':
      return event.error.message;
    case 'stderr':
      return event.line;
    case 'stray':
      return mcpStrayText(event.text);
    case 'log':
      return mcpLogText(event.level, event.logger, event.data);
    case 'tools-changed':
      return mcpToolsText(event.tools);
  }
}
