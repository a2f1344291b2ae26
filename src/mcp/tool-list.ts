import {
  deepToolText,
  listedTwiceText,
  namelessText,
  noToolListText,
  resultShapeText,
  tooManyToolsText,
} from './messages.js';
import { deepestValue, isDeeperThan } from './nesting.js';
import type { RpcClient } from './rpc-client.js';
import { ServerFault } from './server-fault.js';
import { type Fields, isRecord } from './value.js';

const mostTools = 10_000;

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly fields: Fields;
}

/** All pages of `tools/list`. `warn` is told of what is left out: a tool whose name was there before, or is
 * missing, and schemas that are nested too deeply. */
export async function listTools(
  client: RpcClient,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<ListedTool[]> {
  const byName = new Map<string, ListedTool>();
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await client.request('tools/list', cursor === undefined ? {} : { cursor }, { signal, deep: true });
    if (!isRecord(page)) throw new ServerFault(resultShapeText('tools/list', page));
    if (!Array.isArray(page.tools)) throw new ServerFault(noToolListText(page.tools));
    count += page.tools.length;
    if (count > mostTools) throw new ServerFault(tooManyToolsText(mostTools));
    for (const fields of page.tools as readonly unknown[]) {
      const name = isRecord(fields) ? fields.name : undefined;
      if (!isRecord(fields) || typeof name !== 'string' || name === '') warn(namelessText);
      else if (byName.has(name)) warn(listedTwiceText(name));
      else if (isDeeperThan(deepestValue, fields)) {
        warn(deepToolText(name, deepestValue));
        byName.set(name, { name, fields: withoutSchemas(fields) });
      } else byName.set(name, { name, fields });
    }
    cursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined;
  } while (cursor !== undefined);
  return [...byName.values()];
}

const withoutSchemas = ({ name, title, description }: Fields): Fields =>
  Object.fromEntries(Object.entries({ name, title, description }).filter(([, value]) => typeof value === 'string'));
