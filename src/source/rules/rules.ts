import type { Cell } from '../cell.js';
import type { Draft } from '../finding.js';
import { shellText } from '../messages.js';
import { shellExpression } from '../wrappers/foreign.js';
import { awaitPlaces } from './await-place.js';
import { asyncCallbacks } from './callbacks.js';
import { entities } from './entities.js';
import { entries } from './entry.js';
import { absentNames } from './globals.js';
import { shownValues } from './shown-value.js';
import { toolNames } from './tool-names.js';
import { topLevelReturns } from './top-level-return.js';
import { unawaited } from './unawaited.js';

/** At one place the edits of an earlier rule stand in front: `await ` before `tools.`. */
const rules = [
  unawaited,
  toolNames,
  asyncCallbacks,
  awaitPlaces,
  topLevelReturns,
  absentNames,
  entries,
  shownValues,
] as const;

/** Everything that is to be said about a cell that parses. */
export function examine(cell: Cell): Draft[] {
  const escaped = entities(cell);
  if (escaped.length > 0) return escaped;
  const command = shellExpression(cell.source, cell.program, cell.names.free);
  if (command !== undefined)
    return [
      { code: 'shell-command', at: cell.program.body[0]?.start ?? 0, message: shellText(command, cell.commandTool) },
    ];
  return rules.flatMap((rule) => rule(cell)).sort((a, b) => a.at - b.at);
}
