import { listedTwiceText, namelessText, noToolListText, resultShapeText, tooManyToolsText } from './messages.js';
import type { RpcClient } from './rpc-client.js';
import { ServerFault } from './server-fault.js';
import { type Fields, isRecord } from './value.js';

const mostTools = 10_000;

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly fields: Fields;
}

/** All pages of `tools/list`. `warn` is told of what is left out: a name that was there before, or is missing. */
export async function listTools(
  client: RpcClient,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<ListedTool[]> {
  const byName = new Map<string, ListedTool>();
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await client.request('tools/list', cursor === undefined ? {} : { cursor }, { signal });
    if (!isRecord(page)) throw new ServerFault(resultShapeText('tools/list', page));
    if (!Array.isArray(page.tools)) throw new ServerFault(noToolListText(page.tools));
    count += page.tools.length;
    if (count > mostTools) throw new ServerFault(tooManyToolsText(mostTools));
    for (const fields of page.tools as readonly unknown[]) {
      const name = isRecord(fields) ? fields.name : undefined;
      if (!isRecord(fields) || typeof name !== 'string' || name === '') warn(namelessText);
      else if (byName.has(name)) warn(listedTwiceText(name));
      else byName.set(name, { name, fields });
    }
    cursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined;
  } while (cursor !== undefined);
  return [...byName.values()];
}
