/**
 * The property of `tools` that a definition's name becomes: per code point, what is no ASCII letter, digit, `_` or `$`
 * becomes `_`, so does a leading digit, and nothing becomes `_` as well.
 */
export function toolProperty(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_$]/gu, '_').replace(/^\d/, '_');
  return safe === '' ? '_' : safe;
}
