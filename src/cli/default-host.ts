import { fileURLToPath } from 'node:url';

/** Our own host: a bundle beside the one this code is in, run by the Node that runs us. */
export const defaultHost = (): { readonly program: string; readonly args: readonly string[] } => ({
  program: process.execPath,
  args: [fileURLToPath(new URL('./host.cjs', import.meta.url))],
});
