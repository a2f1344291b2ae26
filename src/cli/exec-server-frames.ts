const FRAMES = 10;
/** A place in the bundle may come with more than anybody reads. */
const FRAME_CHARACTERS = 400;

/** Where it was thrown, our own bundle included: of a fault of ours there is nothing else to tell. Anything can be thrown. */
export function framesOf(error: unknown): string[] {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    if (typeof stack !== 'string') return [];
    return stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, FRAMES)
      .map((line) => `  ${line.trim().slice(0, FRAME_CHARACTERS)}`);
  } catch {
    return [];
  }
}
