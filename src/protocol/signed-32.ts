/** The largest number that every host can count, be it of tokens or ms; also the longest timer of Node, in ms. */
export const MAX_SIGNED_32 = 2 ** 31 - 1;
