import type { Cell, Delegate } from '../supervisor/host.js';
import type { ToolProgress } from '../tools/tool.js';
import type { Toolbox, ToolboxDelegateOptions } from '../tools/toolbox.js';

/** What a cell has told with `notify`, for the model to read while the cell goes on. */
export interface ModelNotification {
  /** The call of `exec` that it belongs to; it may have been answered long ago. */
  readonly toolCallId: string;
  /** The tool of that call, as a further output of which a model reads it. */
  readonly name: 'exec';
  readonly cellId: string;
  readonly text: string;
}

export interface CellListeners extends ToolboxDelegateOptions {
  /**
   * Hears what cells tell with `notify`, in order for each cell, which waits for it. Give it to the model as one more
   * output of the call `toolCallId`, or with the next answer.
   */
  readonly onNotify?: ((notification: ModelNotification) => Promise<void> | void) | undefined;
}

/** A cell keeps the tools that it was started with, also when the harness has others by now. */
export class CellToolboxes {
  readonly #current: () => Toolbox;
  readonly #toolboxes = new Map<string, Toolbox>();
  readonly #starting = new Set<Promise<void>>();

  constructor(current: () => Toolbox) {
    this.#current = current;
  }

  /** The cell that is being started gets this toolbox. */
  async start(toolbox: Toolbox, starting: Promise<Cell>): Promise<Cell> {
    const known = starting.then(
      ({ id }) => void this.#toolboxes.set(id, toolbox),
      () => undefined,
    );
    this.#starting.add(known);
    await known;
    this.#starting.delete(known);
    return await starting;
  }

  delegate({ onNotify, onProgress }: CellListeners): Delegate {
    return {
      invokeTool: async (call, context) => {
        const toolbox = await this.#of(call.cellId);
        const progress = onProgress === undefined ? {} : { progress: (told: ToolProgress) => onProgress(call, told) };
        return await toolbox.invoke(call, { ...context, ...progress });
      },
      ...(onNotify === undefined
        ? {}
        : {
            notify: ({ callId, cellId, text }) => onNotify({ toolCallId: callId, name: 'exec', cellId, text }),
          }),
      cellClosed: (cellId, context) => void this.#close(cellId, context).catch(() => undefined),
    };
  }

  /** A cell may call, and end, before we have heard of its start. */
  async #of(cellId: string): Promise<Toolbox> {
    while (!this.#toolboxes.has(cellId) && this.#starting.size > 0) await Promise.race(this.#starting);
    return this.#toolboxes.get(cellId) ?? this.#current();
  }

  async #close(cellId: string, context: Parameters<Toolbox['cellClosed']>[1]): Promise<void> {
    const toolbox = await this.#of(cellId);
    this.#toolboxes.delete(cellId);
    toolbox.cellClosed(cellId, context);
  }
}
