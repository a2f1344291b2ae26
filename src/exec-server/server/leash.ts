import { type ChildProcess, spawn } from 'node:child_process';
import type { MarkTraces } from './mark.js';
import { shieldedStdio } from './shielded-files.js';

/**
 * Kills what we started when we are killed ourselves: Node can not ask Linux for a parent-death signal. It is a shell that
 * waits for the end of its stdin, which the system brings about however we end. Groups are killed when their leader is the
 * one that was announced; then everything below them, and whoever carries a mark of ours, or has one of our
 * pipes for its own: that finds also a child which killed us before we knew its number. One that has neither is the first
 * on its terminal, which was announced before it was there, and leads a session that is not older.
 */
const script = `
trap '' HUP INT TERM QUIT PIPE
variable=$1
limit=$2
folders=
expected=
kept=' '
while read -r word rest; do
  case $word in
    expect) expected=$rest ;;
    add) expected=; kept="$kept$rest " ;;
    drop)
      case $kept in
        *" $rest:"*)
          after=\${kept#*" $rest:"}
          kept="\${kept%%" $rest:"*} \${after#* }"
          ;;
      esac
      ;;
    clear)
      folders="$folders$rest
"
      ;;
  esac
done
ours=' '
if [ -n "$expected" ]; then
  since=\${expected#* }
  for try in 1 2 3 4 5 6; do
    for word in $(ls -l /proc/[0-9]*/fd/0 | grep -E -e "-> \${expected%% *}( [(]deleted[)])?$"); do
      case $word in /proc/[0-9]*/fd/0) ;; *) continue ;; esac
      pid=\${word#/proc/}
      pid=\${pid%%/*}
      read -r stat < /proc/$pid/stat || continue
      set -- \${stat##*) }
      [ "$4" = $pid ] || continue
      shift 19
      [ "$1" -ge $since ] && [ "$1" -le $((since + 200)) ] && ours="$ours$pid " && break 2
    done
    sleep 0.05
  done
fi
for one in $kept; do
  pid=\${one%%:*}
  if read -r stat < /proc/$pid/stat; then
    set -- \${stat##*) }
    shift 19
    [ "$1" = "\${one#*:}" ] || continue
  fi
  ours="$ours$pid "
done
look() {
  for file in /proc/[0-9]*/stat; do
    read -r stat < $file || continue
    pid=\${file#/proc/}
    pid=\${pid%/stat}
    set -- \${stat##*) }
    [ "$1" = Z ] && continue
    case $ours in *" $pid "*) continue ;; esac
    case $ours in *" $2 "*|*" $3 "*|*" $4 "*) ours="$ours$pid "; more=1; kill -STOP $pid ;; esac
  done
}
if [ "$ours" != ' ' ] && [ -r /proc/self/stat ]; then
  for pid in $ours; do kill -STOP -$pid; done
  more=1
  while [ $more = 1 ]; do more=0; look; done
fi
for pid in $ours; do kill -KILL -$pid; kill -KILL $pid; done
clear() {
  set -f
  IFS='
'
  for folder in $folders; do rm -rf -- "$folder"; done
  set +f
  unset IFS
}
links=$(printf %s "$folders" | while read -r folder; do printf '%s\n' "-> $folder/"; done)
clear
# Some greps see nothing behind the first NUL without it, and others do not know it.
z=
echo x | grep -qz x && z=z
empty=0
round=0
while [ $round -lt 40 ] && [ $empty -lt 6 ]; do
  # Their exit status is no answer: one process that has just ended is an error.
  found=$(
    grep -ls\${z}F -e "$variable" /proc/[0-9]*/environ
    grep -lsE -e "$limit" /proc/[0-9]*/limits
    [ -n "$links" ] && ls -l /proc/[0-9]*/fd/[012] | grep -F -e "$links"
  )
  for word in $found; do
    case $word in /proc/[0-9]*/*) pid=\${word#/proc/}; kill -STOP \${pid%%/*} ;; esac
  done
  for word in $found; do
    case $word in /proc/[0-9]*/*) pid=\${word#/proc/}; kill -KILL \${pid%%/*} ;; esac
  done
  # Something may have been between two processes: what is not found is looked for again after a while.
  if [ -n "$found" ]; then empty=0; else empty=$((empty + 1)); sleep 0.15; fi
  round=$((round + 1))
done
clear
`;

export class Leash {
  #shell: ChildProcess | undefined;

  /** `traces` of everything that we start with a mark. */
  constructor(traces: MarkTraces) {
    if (process.platform === 'win32') return;
    try {
      this.#shell = this.#start(traces);
    } catch {
      // No descriptor is left, or no process: the next start tries again.
    }
  }

  /** Whether there is one. Without it nothing ends when we are killed. */
  get holds(): boolean {
    return this.#shell !== undefined || process.platform === 'win32';
  }

  add(leader: number, start: string | undefined): void {
    this.#tell(`add ${leader}:${start ?? '-'}`);
  }

  /** The next one leads the session of this terminal. Until it is added, that is how it is found. */
  expect(terminal: string | undefined, since: number): void {
    this.#tell(terminal === undefined ? 'expect' : `expect ${terminal} ${since}`);
  }

  drop(leader: number): void {
    this.#tell(`drop ${leader}`);
  }

  /** A folder to remove. */
  clear(folder: string): void {
    if (!folder.includes('\n')) this.#tell(`clear ${folder}`);
  }

  /** Lets it end, which kills whatever is still on it. */
  release(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #start({ variable, limit }: MarkTraces): ChildProcess {
    const shell = spawn('/bin/sh', ['-c', script, 'sh', variable, limit], {
      stdio: shieldedStdio(['pipe', 'ignore', 'ignore'] as const),
      // A session of its own: a Ctrl-C for us is not for it.
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
    });
    const lost = (): void => {
      this.#shell = undefined;
    };
    shell.on('error', lost);
    shell.on('exit', lost);
    shell.stdin?.on('error', lost);
    shell.unref();
    if (shell.stdin !== null && 'unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
    return shell;
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}
