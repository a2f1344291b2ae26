import type { AnyNode, Program } from 'acorn';
import type { Draft } from '../finding.js';
import { pythonText, shellText } from '../messages.js';
import { childrenOf } from '../syntax.js';

const commands = new Set(
  (
    'ls cat grep egrep rg git npm npx pnpm yarn bun node deno python python3 pip pip3 cd pwd echo mkdir rmdir rm cp mv touch ' +
    'sed awk head tail wc curl wget make cmake cargo rustc go docker kubectl chmod chown ps kill sudo apt apt-get brew tar zip ' +
    'unzip jq diff sort uniq xargs tsc jest pytest ssh scp bash sh zsh which tree du df env printf stat ln tee find whoami ' +
    'uname date hostname ruby perl php java javac mvn gradle psql sqlite3 cut tr nl less more man basename dirname realpath file apply_patch'
  ).split(' '),
);
/** Words that may well be variables: alone in a cell they are no command. */
const ambiguous = new Set([
  'file',
  'date',
  'find',
  'sort',
  'diff',
  'cut',
  'more',
  'less',
  'man',
  'head',
  'tail',
  'go',
  'node',
  'env',
  'which',
  'stat',
  'make',
  'tree',
  'kill',
  'zip',
  'tee',
  'tr',
  'printf',
]);

/** What a cell is that is no JavaScript, and cannot become it. */
export function foreignLanguage(text: string, commandTool: string | undefined): Draft | undefined {
  const shell = shellCommand(text) ?? commandInJson(text);
  if (shell !== undefined)
    return { code: 'shell-command', at: Math.max(0, text.search(/\S/)), message: shellText(shell, commandTool) };
  const at = pythonLine(text);
  return at === undefined ? undefined : { code: 'python-code', at, message: pythonText };
}

function shellCommand(text: string): string | undefined {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .map((line) => line.trim());
  const shebang = /^#!.*\b(bash|sh|zsh)\b/.test(lines[0] ?? '');
  const line = lines.find((candidate) => candidate !== '' && !candidate.startsWith('#'));
  if (line === undefined) return undefined;
  if (shebang) return line;
  const prompt = /^(?:\$|%|>)\s+(\S.*)$/.exec(line)?.[1];
  if (prompt !== undefined && /^[\w./~-]/.test(prompt)) return prompt;
  return isCommand(line) ? line : undefined;
}

function isCommand(line: string): boolean {
  if (/^(\.{1,2}|~)?\/[\w.-]+(\/[\w.-]+)*(\s|$)/.test(line)) return true;
  if (/^export\s+\w+=\S*\s*(&&|;|$)/.test(line)) return true;
  // Variables before the command.
  const [, word = '', rest = ''] = /^(?:[A-Z_][A-Z0-9_]*=\S* +)*([a-z][\w.-]*)(?=\s|$|[|;&>])(.*)$/.exec(line) ?? [];
  if (!commands.has(word)) return false;
  return (
    rest.trim() === '' ||
    !/^\s*([=*+?:.,([]|=>|&&?\s*\w+\()/.test(rest) ||
    /^\s+\.[\w/]|^\s*\*?\.\w+$|^\s+[*.]/.test(rest)
  );
}

/** `{"cmd": "ls"}`, `{"command": ["bash", "-lc", "ls"]}`: the arguments of another tool. */
function commandInJson(text: string): string | undefined {
  if (!/^\s*\{/.test(text) || text.length > 100_000) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const command = 'cmd' in value ? value.cmd : 'command' in value ? value.command : undefined;
  if (Array.isArray(command)) return command.map(String).join(' ');
  return typeof command === 'string' ? command : undefined;
}

/** `ls`, `ls -la`, `ls /tmp`: expressions too, of variables that do not exist. */
export function shellExpression(
  text: string,
  program: Program,
  free: ReadonlyMap<string, unknown>,
): string | undefined {
  const first = program.body[0];
  const word = /^[\w-]+/.exec(text.trimStart())?.[0] ?? '';
  if (first === undefined || !commands.has(word) || !free.has(word)) return undefined;
  if (program.body.length === 1 && ambiguous.has(word) && first.end - first.start === word.length) return undefined;
  return program.body.every((node) => node.type === 'ExpressionStatement' && isWords(node.expression))
    ? text.trim().split('\n', 1)[0]
    : undefined;
}

const wordTypes = new Set([
  'Identifier',
  'BinaryExpression',
  'UnaryExpression',
  'LogicalExpression',
  'MemberExpression',
  'UpdateExpression',
]);

const isWords = (node: AnyNode): boolean => wordTypes.has(node.type) && childrenOf(node).every(isWords);

const python = [
  /^\s*(async )?def \w+\([^)]*\).*:\s*(#.*)?$/,
  /^\s*from [\w.]+ import [\w*, ()]+$/,
  /^\s*import [\w.]+( as \w+)?(, [\w.]+)*$/,
  /^\s*(elif|if|while|with|except|for) [^{}]*:\s*(#.*)?$/,
  /^\s*(try|else|finally|except):\s*(#.*)?$/,
  /\bprint\(f["']/,
  /\bawait asyncio\./,
  /\b(if|while) not \w/,
  /^\s*if __name__ ==/,
];

function pythonLine(text: string): number | undefined {
  let at = 0;
  for (const line of text.slice(0, 20_000).split('\n', 200)) {
    const shown = line.replace(/\r$/, '').slice(0, 300);
    if (python.some((pattern) => pattern.test(shown))) return at + Math.max(0, line.search(/\S/));
    at += line.length + 1;
  }
  return undefined;
}
