import { HostConnection } from './connection.js';
import { aboutText, missingListenText, unknownArgumentText, unsupportedListenText, usageText } from './messages.js';

function usage(problem: string, code: number): never {
  process.stderr.write(`codemode-host: ${problem}\n${usageText}\n`);
  process.exit(code);
}

function checkArguments(args: readonly string[]): void {
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    if (argument === '--help' || argument === '-h') {
      process.stdout.write(`${usageText}\n\n${aboutText}\n`);
      process.exit(0);
    }
    const listen = argument === '--listen' ? args[++at] : argument.match(/^--listen=(.*)$/)?.[1];
    if (listen === undefined) usage(argument === '--listen' ? missingListenText : unknownArgumentText(argument), 2);
    if (listen !== 'stdio' && listen !== 'stdio://') {
      usage(unsupportedListenText(listen), 1);
    }
  }
}

// Without this Node would print a line of the bundle, which is all of it.
process.on('uncaughtException', (error) => {
  process.stderr.write(`codemode-host: ${error.stack ?? error}\n`, () => process.exit(1));
});
checkArguments(process.argv.slice(2));
new HostConnection(process.stdin, process.stdout, (ending) => {
  if (ending.kind !== 'failed') process.exit(0);
  const { what, cause } = ending;
  process.stderr.write(`codemode-host: ${what}: ${cause instanceof Error ? cause.message : String(cause)}\n`, () =>
    process.exit(1),
  );
});
