// Every sentence that the host says: to clients and cells, many of them in the words of the reference, which clients know, and to
// whoever reads its stderr. What cells hear of the prelude and the runner stands there: those are programs of their own.

import type { Omitted } from './bounded-output.js';

const MIB = 2 ** 20;

const amount = (bytes: number): string => (bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`);

// To clients, about a request

export const secondHelloText = 'received a second code-mode client hello';
export const duplicateRequestText = (id: number | bigint): string => `duplicate code-mode request ID RequestId(${id})`;
export const hostFaultText = (reason: string): string => `code-mode host failed: ${reason}`;
export const tooManyRequestsText = 'code-mode host has too many in-flight requests';
export const tooManyCellsText = 'code-mode host has too many active cells';
export const unknownSessionText = (id: string): string => `unknown code-mode session ${id}`;
export const sessionOpenText = (id: string): string => `code-mode session ID \`${id}\` is already open`;
export const sessionReusedText = (id: string): string => `code-mode session ID \`${id}\` was reused`;
export const tokensBelowZeroText = 'invalid code-mode execute request: number too small to fit in target type';
export const cancelledText = 'code-mode request cancelled';
export const observedText = (cellId: string): string => `exec cell ${cellId} already has an active observer`;
export const cellNotFoundText = (cellId: string): string => `exec cell ${cellId} not found`;

export const catalogTexts = {
  invalid: 'invalid code-mode catalog revision',
  unknown: 'unknown code-mode catalog revision',
  conflicting: 'conflicting code-mode catalog revision',
} as const;

export const answerNames = { initial: 'code-mode initial response', other: 'code-mode host response' } as const;
export const answerTooLongText = (answer: string, reason: string): string =>
  `${answer} exceeds the IPC frame limit: ${reason}`;

// To cells

export const invalidResultText = 'code-mode client returned an invalid tool result';
export const tooManyCallsText = 'code-mode host has too many pending delegate calls';
export const shortClipText = 'Audio output omitted because the clip is shorter than 25 ms; use a longer clip.';

export const omittedText = ({ bytes, texts, images, audios }: Readonly<Omitted>): string =>
  `[Code Mode session output limit reached: omitted ${bytes} text bytes; discarded ${texts} text segments, ${images} images, ${audios} audio items]`;

// Why a cell's process ended

export const unreadAnswersText = (bytes: number): string =>
  `out of memory: more than ${amount(bytes)} of answers wait for the cell`;
export const strangeRunnerText = (reason: string): string => endedText(`it said what no cell can say (${reason})`);
export const outOfMemoryText = (limitBytes: number | undefined): string => {
  const limit = limitBytes === undefined ? 'the default limit' : `its limit of ${amount(limitBytes)}`;
  return `out of memory: the cell used more memory than ${limit} (maxHeapSizeBytes)`;
};
export const endedText = (how: string): string => `exec runtime ended unexpectedly: ${how}`;
export const notStartedText = (reason: string): string => `could not be started: ${reason}`;
export const exitStatusText = (code: number | null): string => `exit status ${code}`;

// On stderr

export const writeFailedText = 'failed to write code-mode host message';
export const notNotifiedText = (reason: string): string => `failed to deliver code mode notification: ${reason}`;
export const invalidDeliveryText = 'code-mode client returned an invalid notification result';
export const warningText = (line: string): string => `codemode-host: warning: ${line}\n`;
export const noNamespacesText = (refusal: string, how: string): string =>
  `cells run without namespaces of their own: ${refusal} (${how})`;

export const usageText = 'usage: codemode-host [--listen stdio|stdio://]';
export const aboutText = 'A code-mode host: V1 frames on standard input and output.';
export const missingListenText = '--listen needs a value';
export const unknownArgumentText = (argument: string): string => `unknown argument ${argument}`;
export const unsupportedListenText = (url: string): string =>
  `unsupported --listen URL \`${url}\`; expected \`stdio\` or \`stdio://\``;
