/** A message as text, or as its UTF-8 in pieces. */
export type OutgoingMessage = string | readonly Uint8Array[];

/** The JSON of a result that is too large to be a string: V8 keeps strings long, and none may have 512 MiB. */
export class EncodedResult {
  readonly parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }
}

/** About: of a text with other letters than ASCII, how many they are. */
export const sizeOf = (message: OutgoingMessage): number =>
  typeof message === 'string' ? message.length : message.reduce((total, part) => total + part.length, 0);
