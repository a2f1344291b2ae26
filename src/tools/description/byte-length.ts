const encoder = new TextEncoder();

/** Bytes of UTF-8; half a character counts as the three of U+FFFD, which replaces it. */
export const byteLength = (text: string): number => encoder.encode(text).length;
