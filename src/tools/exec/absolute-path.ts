/** On the server's system, which may be another one than ours. */
export const isAbsolutePath = (path: string): boolean => /^([/\\]|[a-z]:[/\\]|file:)/i.test(path);

/** As it stands, or seen from `cwd`. */
export function absolutePath(cwd: string, path: string): string {
  if (isAbsolutePath(path)) return path;
  return path === '.' ? cwd : `${cwd}/${path}`;
}
