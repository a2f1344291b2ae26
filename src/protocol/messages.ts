// What stands in a value that no frame can carry.

export const bigintText = 'a bigint cannot be handed to a cell; make it a string or a number';

export const nestedText = 'the value is cyclic, or has too many objects or arrays inside each other';

export const tooMuchText = (limit: number): string =>
  `code-mode IPC frame length exceeds ${limit} bytes: hand over less of it at a time`;
