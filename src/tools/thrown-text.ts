/** What something that was thrown says of itself, if anything: it may be no error, or throw when it is looked at. */
export function thrownText(error: unknown): string | undefined {
  try {
    if (error instanceof Error) {
      const said: readonly unknown[] = [error.message, error.name];
      return said.filter((one) => typeof one === 'string').find((one) => one !== '');
    }
    const text = typeof error === 'string' ? error : error === null || error === undefined ? '' : String(error);
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
