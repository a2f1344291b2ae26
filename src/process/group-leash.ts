import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills the groups on it when we end without a word, as after SIGKILL: not every program ends with its stdin. It is a shell
 * that waits for the end of its own, which the system brings about however we end. Who would have ended by itself has a
 * moment for that.
 */
const SCRIPT = `
trap '' HUP INT TERM QUIT PIPE
kept=' '
while read -r word group; do
  case $word in
    add) kept="$kept$group " ;;
    drop) case $kept in *" $group "*) kept="\${kept%% $group *} \${kept#* $group }" ;; esac ;;
  esac
done
[ "$kept" = ' ' ] && exit
sleep 0.2 || sleep 1
for group in $kept; do kill -KILL -$group; done
`;

let shell: ChildProcess | undefined;
const kept = new Set<number>();

/** Puts a group on the leash; what is given takes it off, and is to be called when the group has no members any more. */
export function leashGroup(leader: number): () => void {
  if (process.platform === 'win32') return () => {};
  if (shell === undefined) {
    shell = startShell();
    // Somebody may have killed the one before.
    for (const earlier of kept) tell('add', earlier);
  }
  kept.add(leader);
  tell('add', leader);
  return () => {
    if (!kept.delete(leader)) return;
    tell('drop', leader);
    if (kept.size > 0) return;
    shell?.stdin?.end();
    shell = undefined;
  };
}

function startShell(): ChildProcess {
  const started = spawn('/bin/sh', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A session of its own: neither Ctrl-C nor a kill of our group is for it.
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
  });
  const lost = (): void => {
    if (shell === started) shell = undefined;
  };
  started.on('error', lost);
  started.on('exit', lost);
  started.stdin.on('error', lost);
  started.unref();
  if ('unref' in started.stdin && typeof started.stdin.unref === 'function') started.stdin.unref();
  return started;
}

function tell(word: 'add' | 'drop', leader: number): void {
  shell?.stdin?.write(`${word} ${leader}\n`);
}
