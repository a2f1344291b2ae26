import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills what we started when we are killed ourselves: Node can not ask Linux for a parent-death signal. It is a shell that
 * waits for the end of its stdin, which the system brings about however we end. Groups are killed when their leader is the
 * one that was announced; then everything below them, and whoever carries our mark in its environment.
 */
const script = `
trap '' HUP INT TERM QUIT PIPE
mark=$1
scratch=$2
kept=' '
while read -r word pid start; do
  case $word in
    add) kept="$kept$pid:$start " ;;
    drop)
      case $kept in
        *" $pid:"*)
          rest=\${kept#*" $pid:"}
          kept="\${kept%%" $pid:"*} \${rest#* }"
          ;;
      esac
      ;;
  esac
done
ours=' '
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
round=0
while [ $round -lt 20 ]; do
  # Its exit status is no answer: one process that has just ended is an error.
  found=$(grep -lsF -e "$mark" /proc/[0-9]*/environ)
  [ -n "$found" ] || break
  for file in $found; do pid=\${file#/proc/}; kill -KILL \${pid%/environ}; done
  round=$((round + 1))
done
[ -n "$scratch" ] && rm -rf -- "$scratch"
`;

export class Leash {
  #shell: ChildProcess | undefined;

  /** `mark` is how the entry begins that everything we start has in its environment; `scratch` is a folder to remove. */
  constructor(mark: string, scratch: string | undefined) {
    if (process.platform === 'win32') return;
    const shell = spawn('/bin/sh', ['-c', script, 'sh', mark, scratch ?? ''], {
      stdio: ['pipe', 'ignore', 'ignore'],
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
    this.#shell = shell;
  }

  add(leader: number, start: string | undefined): void {
    this.#shell?.stdin?.write(`add ${leader} ${start ?? '-'}\n`);
  }

  drop(leader: number): void {
    this.#shell?.stdin?.write(`drop ${leader}\n`);
  }

  /** Lets it end, which kills whatever is still on it. */
  release(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }
}
