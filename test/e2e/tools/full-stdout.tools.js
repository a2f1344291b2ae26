// Tells when stdout holds what nobody reads. The second that our last words get lasts half a minute then, so that a slow
// machine cannot take its end for something else.
const { setTimeout: pause } = globalThis;
globalThis.setTimeout = (then, ms, ...more) => pause(then, ms === 1_000 ? 30_000 : ms, ...more);

const watch = setInterval(() => {
  if (!process.stdout.writableNeedDrain) return;
  clearInterval(watch);
  console.error('stdout is full');
}, 5);

export const tools = {};
