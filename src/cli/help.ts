import yargs from 'yargs';
import { exitCodesText, helpNotes, usageLine } from './messages.js';
import { options } from './options.js';

/** The only place that needs yargs in full, which takes longer to load than a whole run (engines.md §3). */
export async function helpText(columns: number): Promise<string> {
  const cli = yargs([])
    .scriptName('codemode-run')
    .locale('en')
    .usage(usageLine)
    .parserConfiguration({ 'boolean-negation': false, 'camel-case-expansion': false })
    .help(false)
    .version(false)
    .wrap(Math.min(120, Math.max(60, columns)))
    .epilogue(`${helpNotes}\n\n${exitCodesText}`);
  for (const [name, option] of Object.entries(options)) {
    cli.option(name, {
      ...('alias' in option ? { alias: option.alias } : {}),
      ...('initial' in option ? { defaultDescription: String(option.initial), default: option.initial } : {}),
      description: 'value' in option ? `${option.value}: ${option.text}` : option.text,
    });
  }
  return await cli.getHelp();
}
