// Every sentence this folder says to people or to cells.

export const shown = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value === '') return 'an empty string';
  return typeof value === 'object' ? 'an object' : value === undefined ? 'nothing' : `a ${typeof value}`;
};

export const toolFieldText = (file: string, tool: string, field: string, problem: string): string =>
  `${file}: tool ${JSON.stringify(tool)}: ${field} ${problem}`;

export const toolValueText = (file: string, tool: string, value: unknown): string =>
  `${file}: tool ${JSON.stringify(tool)} must be an object, got ${shown(value)}`;

export const mustBe = (what: string, value: unknown): string => `must be ${what}, got ${shown(value)}`;

export const unknownFieldText = (known: readonly string[]): string => `is not known; known are ${known.join(', ')}`;

export const noToolsText = (file: string, value: unknown): string =>
  `${file}: must export an object named \`tools\` (or a default one) of tool name → tool, got ${shown(value)}`;

export const importFailedText = (file: string, message: string): string => `${file}: cannot be loaded: ${message}`;

export const duplicateToolText = (name: string, first: string, second: string): string =>
  `${second}: tool ${JSON.stringify(name)} is already defined in ${first}`;

export const objectExpectedText = (name: string): string => `tool \`${name}\` expects a JSON object for arguments`;

export const stringExpectedText = (name: string): string => `tool \`${name}\` expects a string input`;

export const unknownToolText = (name: string): string => `unknown tool \`${name}\``;

export const sameNameText = (first: string, second: string, property: string): string =>
  `tools ${JSON.stringify(first)} and ${JSON.stringify(second)} are both \`tools.${property}\` in a cell; rename one`;

export const toolboxFieldText = (tool: string, field: string, what: string, value: unknown): string =>
  `tool ${JSON.stringify(tool)}: ${field} ${mustBe(what, value)}`;
