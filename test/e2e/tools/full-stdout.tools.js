// Tells when stdout holds what nobody reads, and when our last words begin to wait for a reader. Whatever they get lasts half
// a minute then, so that a slow machine cannot take its end for something else.
const { setTimeout: pause } = globalThis;
globalThis.setTimeout = (then, ms, ...more) => {
  // Of all that is timed only they are a bare promise: everything else has something to do at its end.
  const lastWords = /\{ \[native code\] \}$/.test(Function.prototype.toString.call(then));
  if (lastWords) console.error('our last words wait');
  return pause(then, lastWords ? 30_000 : ms, ...more);
};

const watch = setInterval(() => {
  if (!process.stdout.writableNeedDrain) return;
  clearInterval(watch);
  console.error('stdout is full');
}, 5);

export const tools = {};
