import type { Cell } from '../cell.js';
import type { Draft } from '../finding.js';
import { entitiesText } from '../messages.js';
import { decodeEntities } from '../wrappers/entities.js';

const entityNames = ['lt', 'gt', 'amp', 'quot', 'apos'];

/** `a &lt; b` is good JavaScript, that asks for a variable called `lt`. */
export function entities(cell: Cell): Draft[] {
  for (const name of entityNames) {
    const uses = cell.names.free
      .get(name)
      ?.filter(({ start, end }) => cell.source[start - 1] === '&' && cell.source[end] === ';');
    const first = uses?.[0];
    if (first === undefined) continue;
    const edits = [{ start: 0, end: cell.source.length, text: decodeEntities(cell.source) }];
    const draft = { code: 'html-entities', at: first.start - 1, message: entitiesText } as const;
    return [cell.mayBeCaught(first) ? draft : { ...draft, edits }];
  }
  return [];
}
