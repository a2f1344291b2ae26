import type { Prelude } from '../prelude/main.js';

/** File name of the prelude inside a cell's context; its frames are not the cell's business. */
export const PRELUDE_FILE = 'codemode:prelude';

/**
 * Node formats the stacks of every context in JavaScript and shows its own frames and ours below the cell's. This
 * takes its place: header, then the cell's frames, the format of V8. `prepareStackTrace` of the cell still comes first.
 */
export function filterStacks(current: () => Prelude | undefined): void {
  Error.prepareStackTrace = (error, sites) => {
    const prelude = current();
    const lines: string[] = [];
    const native: boolean[] = [];
    for (const site of sites) {
      const file = site.getFileName() ?? site.getScriptNameOrSourceURL();
      if (file === PRELUDE_FILE) {
        // Built-ins that a helper called belong to the helper.
        while (native.at(-1)) {
          native.pop();
          lines.pop();
        }
      } else if (typeof file !== 'string' || (!file.startsWith('node:') && file !== __filename)) {
        lines.push(`\n    at ${site}`);
        native.push(site.isNative() || typeof file !== 'string');
      }
    }
    return `${prelude === undefined ? 'Error' : prelude.header(error)}${lines.join('')}`;
  };
}
