import type { Delegate } from '../supervisor/host.js';
import { thrownText } from '../tools/thrown-text.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { Reporter } from './reporter.js';
import type { Trace } from './trace.js';

/** Answers the calls of cells from the toolbox, and tells the reporter about each. */
export function reportingDelegate(toolbox: () => Toolbox, reporter: Reporter, trace: Trace): Delegate {
  return {
    async invokeTool(call, context) {
      const { cellId, callId, input } = call;
      const reported = { cellId, callId, name: `${call.namespace ?? ''}${call.name}`, input };
      await reporter.toolCall(reported);
      // While the report waited for a slow reader the cell may have ended: nobody wants the call any more.
      context.signal.throwIfAborted();
      const began = performance.now();
      try {
        const value = await toolbox().invoke(call, {
          ...context,
          progress: (progress) => {
            trace.progress(reported, progress);
            reporter.toolProgress(reported, progress);
          },
        });
        reporter.toolResult(reported, { ms: performance.now() - began, ok: true });
        return value;
      } catch (error) {
        const message = thrownText(error) ?? '';
        reporter.toolResult(reported, { ms: performance.now() - began, ok: false, error: message });
        throw error;
      }
    },
    cellClosed: (cellId, context) => toolbox().cellClosed(cellId, context),
    notify: ({ cellId, text }) => reporter.notification(cellId, text),
  };
}
