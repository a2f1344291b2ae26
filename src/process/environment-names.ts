// The names that decide what a host sees of our environment. Tests pin both lists as literals.

export const posixNames = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'] as const;
export const posixPrefix = 'LC_';

/** Without these, programs on Windows fail to load libraries, to find their folders, or to start anything at all. */
export const windowsNames = [
  ...posixNames,
  'ALLUSERSPROFILE',
  'APPDATA',
  'COMMONPROGRAMFILES',
  'COMMONPROGRAMFILES(X86)',
  'COMMONPROGRAMW6432',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'PUBLIC',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
] as const;

/** Part of the launch context of Codex: no host may ever see them, in whatever case they are written. */
const launchContext: ReadonlySet<string> = new Set([
  'CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN',
  'NODE_REPL_AUTH_TOKEN',
  'OPENAI_FEDERATION_RULE_ID',
  'OPENAI_IDENTITY_TOKEN_FILE',
  'OPENAI_WORKLOAD_IDENTITY_CONTEXT',
]);

export const isLaunchContext = (name: string): boolean => launchContext.has(name.toUpperCase());

// KEY, PASS and the like only as a whole word between underscores: KEYBOARD_LAYOUT and PWD are not secrets.
const secretName = new RegExp(
  [
    'TOKENS?(_|$)',
    'SECRET',
    'PASSWO?R?D',
    'PASSPHRASE',
    'CREDENTIAL',
    'COOKIE',
    '(API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH)_?KEY',
    '(^|_)(KEYS?|PASS|PAT|AUTH|AUTHORIZATION|JWT|DSN|CONNECTION_STRING)(_|$)',
    '[A-Z0-9]_?PWD$',
  ].join('|'),
  'i',
);

/** `https://user:password@…`: proxies and databases carry their password in the value. */
const secretValue = /:\/\/[^/\s:@]*:[^/\s@]+@/;

export function looksSecret(name: string, value: string): boolean {
  if (name.toUpperCase() === 'OLDPWD') return false;
  return secretName.test(name) || secretValue.test(value);
}
