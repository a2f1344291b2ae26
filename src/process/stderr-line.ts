const SHOWN_LINES = 5;
const SHOWN_CHARACTERS = 400;

/** Lines of a crash report that say nothing alone: empty ones, stack frames, carets, Node's last line. */
const NOISE = /^($|at .+:\d+|\^+$|Node\.js v\d)/;

/** The end of a program's stderr on one line: the last lines say why it gave up. */
export function stderrLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => !NOISE.test(line));
  const shown = telling.slice(-SHOWN_LINES).join(' | ');
  return shown.length > SHOWN_CHARACTERS ? `…${shown.slice(-SHOWN_CHARACTERS)}` : shown;
}
