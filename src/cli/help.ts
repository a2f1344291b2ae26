import yargs from 'yargs';
import { checkNotes, describeNotes, exitCodesText, helpNotes, usageLines } from './messages.js';
import { type Command, optionsOf } from './options.js';

const notes: Readonly<Record<Command, string>> = {
  run: helpNotes,
  describe: describeNotes,
  check: checkNotes,
};

/** The only place that needs yargs in full, which takes longer to load than a whole run. */
export async function helpText(columns: number, command: Command): Promise<string> {
  const cli = yargs([])
    .scriptName('codemode-run')
    .locale('en')
    .usage(usageLines[command])
    .parserConfiguration({ 'boolean-negation': false, 'camel-case-expansion': false })
    .help(false)
    .version(false)
    .wrap(Math.min(120, Math.max(60, columns)) - 1)
    .epilogue(`${notes[command]}\n\n${exitCodesText(command)}`);
  for (const [name, option] of optionsOf(command)) {
    cli.option(name, {
      ...(option.alias === undefined ? {} : { alias: option.alias }),
      ...(option.initial === undefined ? {} : { defaultDescription: String(option.initial), default: option.initial }),
      description: option.value !== undefined ? `${option.value}: ${option.text}` : option.text,
    });
  }
  const help = await cli.getHelp();
  // Where a line is full, yargs leaves nothing between it and the default.
  return help.replace(/(\S)(\[default: )/g, '$1 $2');
}
