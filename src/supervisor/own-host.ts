import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where our own host lies as seen from here: beside the bundle that this code is in, or in `dist` for the tests. */
const places = ['./host.cjs', '../../../dist/host.cjs'];

/** How our own host is started: a bundle of ours, run by the Node that runs us. */
export function ownHost(): { readonly program: string; readonly args: readonly string[] } {
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return { program: process.execPath, args: [files.find((file) => existsSync(file)) ?? files[0] ?? ''] };
}
