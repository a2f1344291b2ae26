import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root, temporaryFile } from '../support/cli.js';

const folder = join(root, 'test/mcp/servers');

/** What a server of these tests is: a fixture by its name, perhaps with arguments, or a file. */
export type ServerProgram = string | readonly [fixture: string, ...args: string[]] | { readonly file: string };

/** A file for `--mcp`: servers by name. */
export async function mcpFile(t: TestContext, servers: Readonly<Record<string, ServerProgram>>): Promise<string> {
  const entries = Object.entries(servers).map(([name, program]) => [
    name,
    { command: process.execPath, args: argumentsOf(program) },
  ]);
  return await temporaryFile(t, 'mcp.json', JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
}

function argumentsOf(program: ServerProgram): readonly string[] {
  if (typeof program === 'object' && 'file' in program) return [program.file];
  const [fixture, ...args] = typeof program === 'string' ? [program] : program;
  return [join(folder, `${fixture}.mjs`), ...args];
}

/** A server of one test, in the words of the fixtures: `serve`, `send`, `text`, `initialized`. */
export async function serverFile(t: TestContext, source: string): Promise<{ readonly file: string }> {
  const support = pathToFileURL(join(folder, 'support/serve.mjs')).href;
  const header = `import { initialized, send, serve, text } from ${JSON.stringify(support)};\n`;
  return { file: await temporaryFile(t, 'server.mjs', header + source) };
}
