/** The command line, or a file it names, is not usable: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
