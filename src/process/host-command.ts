/** What to start, as the user configured it. No shell is involved, whatever the characters in it. */
export interface HostCommand {
  /** An absolute path, a path relative to `cwd`, or a bare name to look for in the PATH that the host will get. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Working directory of the host; ours when absent. */
  readonly cwd?: string;
}
