// What `runCell` says to people.

export const cellTimeoutText = (timeoutMs: number): string =>
  `the cell was ended by its time limit (timeout) of ${timeoutMs} ms`;

export const cellCancelledText = 'the cell was ended because its caller gave up';

export const durationWords = (maximum: number): string => `a whole number of milliseconds from 1 to ${maximum}`;

export const sessionWords = 'what `host.openSession` gives';
