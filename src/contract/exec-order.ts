import { type Finding, type Preflight, prepareCell } from '../source/index.js';
import { COMMAND_TOOL } from '../tools/command-tool.js';
import type { Toolbox } from '../tools/toolbox.js';
import { type ExecSettings, parseExecInput, settingsOf } from './exec-input.js';

/** What a call of `exec` asks for, ready for a host. */
export interface ExecOrder extends ExecSettings {
  readonly source: string;
  readonly findings: readonly Finding[];
}

/**
 * Makes an order out of what a model wrote: a text, or `{ source }` where `exec` is a function tool. Rejects with
 * `invalid-argument` and the text of the refusal.
 */
export async function execOrder(input: unknown, toolbox: Toolbox, preflight: Preflight): Promise<ExecOrder> {
  const text = typeof input === 'object' && input !== null && 'source' in input ? input.source : input;
  const whole = wellFormed(typeof text === 'string' ? text : '');
  const { source: given, ...settings } = parseExecInput(whole);
  const command = toolbox.entries.find(({ tool }) => tool.name === COMMAND_TOOL);
  const { source, findings, repaired } = await prepareCell(given, {
    label: 'exec',
    typescript: false,
    preflight,
    tools: toolbox.entries.map(({ property }) => property),
    ...(command === undefined ? {} : { commandTool: command.property }),
  });
  // The line of the settings may have stood inside of what was taken off, such as a fence. It stays then, as a comment:
  // lines count as the model counts them.
  const found = repaired && given === whole ? settingsOf(source) : {};
  return { source, findings, ...found, ...settings };
}

/** Half a character would end the connection: no frame can hold it. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
