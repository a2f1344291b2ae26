// What the type check says to people.

const install = 'install it (npm i -D typescript), or name a tsc';

export const noCompilerText = (from: string): string =>
  `types cannot be checked: there is no package \`typescript\` in ${from} or above; ${install}`;
export const oldCompilerText = (manifest: string, version: string): string =>
  `types cannot be checked: ${manifest} is TypeScript ${version}, and 5.5 or newer is needed; ${install}`;
export const unreadableCompilerText = (file: string): string =>
  `types cannot be checked: the compiler ${file} cannot be read; ${install}`;
export const brokenCompilerText = (program: string, line: string): string =>
  `types cannot be checked: ${program} did not work: ${line}`;
export const checkTimeoutText = (ms: number): string => `the type check did not end within ${ms} ms`;
export const checkCancelledText = 'the type check was cancelled';
export const declarationsText = (line: string): string => `the declarations of the tools do not compile: ${line}`;
