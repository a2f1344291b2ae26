import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A runner that spins cannot notice that its host is gone. So a shell sits on a pipe from the host, keeps the list of
 * the runners' pids, and kills them when the pipe ends: also after SIGKILL of the host alone, on every POSIX system.
 */
const SCRIPT = `p=' '
while read -r o n; do
  case $o in
    +) p="$p$n " ;;
    -) case $p in *" $n "*) p="\${p%% $n *} \${p#* $n }" ;; esac ;;
  esac
done
for n in $p; do kill -9 "$n" 2>/dev/null; done`;

export class Leash {
  #shell: ChildProcess | undefined;

  constructor() {
    if (process.platform === 'win32') return;
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], env: {} });
    const lost = () => {
      this.#shell = undefined;
    };
    shell.on('error', lost);
    shell.on('exit', lost);
    shell.stdin.on('error', lost);
    shell.unref();
    this.#shell = shell;
  }

  add(pid: number): void {
    this.#write(`+ ${pid}\n`);
  }

  remove(pid: number): void {
    this.#write(`- ${pid}\n`);
  }

  #write(line: string): void {
    this.#shell?.stdin?.write(line);
  }
}
