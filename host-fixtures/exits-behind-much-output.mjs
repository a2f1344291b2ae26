#!/usr/bin/env node
// Sends a megabyte of a running cell's output, and ends with 3 while it is still being printed.
import { initial, send, serve, started } from './support/v1.mjs';

const content_items = [{ type: 'input_text', text: 'x'.repeat(1_000_000) }];
const progress = { cell_id: '1', content_items, code_mode_host_duration_ns: 1 };
serve({
  'session/execute': async (message) => {
    await send(started(message), initial(message, { Yielded: progress }));
    process.exit(3);
  },
});
