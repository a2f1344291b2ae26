import type { CodemodeError } from '../errors.js';
import type { Tool, ToolContext, ToolGroup } from '../tools/tool.js';
import { deadline } from '../waiting/deadline.js';
import type { Channel, ChannelEvents } from './channel.js';
import type { ClientInfo } from './client-info.js';
import type { EmitEvent } from './mcp-event.js';
import {
  callCancelled,
  closedText,
  errorAnswerText,
  keptListText,
  noAnswerText,
  resultShapeText,
  serverFailed,
  toolText,
  versionText,
} from './messages.js';
import { type OpenChannel, openChannel } from './open-channel.js';
import { progressOf } from './progress.js';
import { knownVersions } from './protocol-version.js';
import { RefreshedList } from './refreshed-list.js';
import { RpcClient } from './rpc-client.js';
import type { McpServerConfig } from './server-config.js';
import { asFault, RpcErrorAnswer, ServerFault } from './server-fault.js';
import { type ListedTool, listTools } from './tool-list.js';
import { groupOf, toolOf } from './tool-of.js';
import { type Fields, isRecord } from './value.js';

export interface ServerContext {
  readonly timeoutMs: number;
  /** Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly clientInfo: ClientInfo;
  readonly emit: EmitEvent;
  /** Gives up the start. */
  readonly signal: AbortSignal;
}

/** One server, from its start to its end. */
export class McpServer {
  readonly #config: McpServerConfig;
  readonly #context: ServerContext;
  readonly #client: RpcClient;
  #channel: Channel | undefined;
  #list: RefreshedList | undefined;
  #group: ToolGroup;
  #tools: readonly Tool[] = [];
  /** What is being waited for while it starts. */
  #step: string | undefined;
  #announced = false;
  #ready = false;
  #closing: Promise<void> | undefined;
  #end: ServerFault | undefined;

  /** Resolves when its tools are known. When this rejects, with a `CodemodeError`, nothing of the server is left. */
  static async start(config: McpServerConfig, context: ServerContext, open = openChannel): Promise<McpServer> {
    const server = new McpServer(config, context);
    const limit = deadline(context.timeoutMs, () => new ServerFault(noAnswerText(context.timeoutMs)), context.signal);
    try {
      await server.#start(limit.signal, open);
      return server;
    } catch (error) {
      const failure = server.#failure(error);
      await server.close();
      throw failure;
    } finally {
      limit.clear();
    }
  }

  private constructor(config: McpServerConfig, context: ServerContext) {
    this.#config = config;
    this.#context = context;
    this.#group = groupOf(config.name, undefined);
    this.#client = new RpcClient((method, params) => this.#notified(method, params));
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Settles changes of the list that were announced; true when the tools differ from those of the last time. */
  async refresh(): Promise<boolean> {
    return (await this.#list?.settled(this.#context.timeoutMs)) ?? false;
  }

  /** Never rejects, and takes little more than a second. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#client.end(new ServerFault(closedText));
    this.#list?.stop();
    await this.#channel?.close();
  }

  async #start(signal: AbortSignal, open: OpenChannel): Promise<void> {
    const startedAt = performance.now();
    const { name } = this.#config;
    const { environment } = this.#context;
    this.#channel = await open(this.#config, { environment, signal, events: this.#events() });
    this.#client.attach(this.#channel);
    this.#step = '`initialize`';
    const { serverInfo, instructions, capabilities } = await this.#initialize(this.#channel, signal);
    this.#step = '`tools/list`';
    const hasTools = isRecord(capabilities) && capabilities.tools !== undefined;
    const listed = hasTools ? await listTools(this.#client, signal, (text) => this.#say('warning', text)) : [];
    this.#group = groupOf(name, instructions);
    this.#show(listed);
    this.#list = new RefreshedList(listed, {
      read: () => this.#readAgain(),
      changed: (list) => {
        this.#show(list);
        this.#context.emit({ type: 'tools-changed', server: name, tools: list.length });
      },
      failed: (error) => this.#listFailed(error),
    });
    if (this.#end !== undefined) throw this.#end;
    this.#ready = true;
    const about = isRecord(serverInfo) ? serverInfo : {};
    this.#context.emit({
      type: 'ready',
      server: name,
      name: typeof about.name === 'string' ? about.name : '',
      version: typeof about.version === 'string' ? about.version : '',
      tools: listed.length,
      ms: performance.now() - startedAt,
    });
    if (this.#announced) this.#list.announce();
  }

  async #initialize(channel: Channel, signal: AbortSignal): Promise<Fields> {
    const params = {
      protocolVersion: knownVersions[0],
      capabilities: {},
      clientInfo: this.#context.clientInfo,
    };
    const about = await this.#client.request('initialize', params, { signal, silent: true });
    if (!isRecord(about)) throw new ServerFault(resultShapeText('initialize', about));
    const version = knownVersions.find((known) => known === about.protocolVersion);
    if (version === undefined) throw new ServerFault(versionText(about.protocolVersion, knownVersions));
    channel.agreed(version);
    await this.#client.notify('notifications/initialized', signal);
    return about;
  }

  #show(list: readonly ListedTool[]): void {
    const call = this.#call.bind(this);
    this.#tools = list.map((tool) => toolOf(this.#config.name, this.#group, tool, call));
  }

  async #call(tool: string, input: unknown, { signal, progress }: ToolContext): Promise<unknown> {
    const params = { name: tool, arguments: input };
    const onProgress = progress && ((fields: Fields) => progressOf(fields, progress));
    try {
      const result = await this.#client.request('tools/call', params, { signal, onProgress });
      if (!isRecord(result)) throw new ServerFault(resultShapeText('tools/call', result));
      return result;
    } catch (error) {
      // As Codex does it: to a cell, a call that the server refuses is a call that failed.
      if (error instanceof RpcErrorAnswer) return { content: [{ type: 'text', text: error.message }], isError: true };
      if (signal.aborted) throw callCancelled(this.#config.name, toolText(tool), signal.reason);
      throw serverFailed(this.#config.name, toolText(tool), asFault(error), { tool });
    }
  }

  async #readAgain(): Promise<ListedTool[]> {
    const { timeoutMs } = this.#context;
    const limit = deadline(timeoutMs, () => new ServerFault(noAnswerText(timeoutMs)));
    try {
      return await listTools(this.#client, limit.signal, (text) => this.#say('warning', text));
    } finally {
      limit.clear();
    }
  }

  #listFailed(error: unknown): void {
    // Its end is told elsewhere.
    if (this.#end !== undefined || this.#closing !== undefined) return;
    this.#say('error', keptListText(asFault(error).message));
  }

  #say(level: string, data: string): void {
    this.#context.emit({ type: 'log', server: this.#config.name, level, logger: 'codemode-run', data });
  }

  #notified(method: string, params: Fields): void {
    if (method === 'notifications/tools/list_changed') {
      this.#announced = true;
      this.#list?.announce();
    } else if (method === 'notifications/message') {
      const { level, logger, data } = params;
      const about = typeof logger === 'string' ? { logger } : {};
      this.#context.emit({
        type: 'log',
        server: this.#config.name,
        level: typeof level === 'string' ? level : 'info',
        ...about,
        data,
      });
    }
  }

  #events(): ChannelEvents {
    const { emit } = this.#context;
    const server = this.#config.name;
    return {
      message: (value) => this.#client.receive(value),
      stray: (text) => emit({ type: 'stray', server, text }),
      stderr: (line) => emit({ type: 'stderr', server, line }),
      warn: (text) => this.#say('warning', text),
      lost: (id, fault) => this.#client.lose(id, fault),
      ended: (fault) => {
        this.#end = fault;
        this.#client.end(fault);
        this.#list?.stop();
        if (this.#ready && this.#closing === undefined) {
          emit({ type: 'ended', server, error: serverFailed(server, undefined, fault) });
        }
      },
    };
  }

  #failure(error: unknown): CodemodeError {
    const { name } = this.#config;
    if (this.#context.signal.aborted && error === this.#context.signal.reason) {
      return callCancelled(name, undefined, error);
    }
    const answered = error instanceof RpcErrorAnswer;
    const fault = answered ? new ServerFault(errorAnswerText(error.message), { cause: error }) : asFault(error);
    if (fault === this.#end || this.#channel === undefined) return serverFailed(name, this.#step, fault);
    const { text, data } = this.#channel.facts();
    const whole = new ServerFault(`${fault.message}${text}`, { cause: fault.cause, data: { ...data, ...fault.data } });
    return serverFailed(name, this.#step, whole);
  }
}
