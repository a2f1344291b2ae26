/** At most `limit` letters of a text that may be long, for a message: never half of a letter that takes two. */
export const clip = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : text;
