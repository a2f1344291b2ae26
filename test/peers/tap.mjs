// A host that is another host with an ear at its pipes: tap.mjs HOST LOG. Passes bytes both ways as they come, and notes
// each chunk in LOG as a line of JSON; who reads the log puts the frames together. Ends as the host ends.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [host = '', log = '', ...args] = process.argv.slice(2);
const command = /\.[cm]?js$/.test(host) ? [process.execPath, host] : [host];
const child = spawn(command[0], [...command.slice(1), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });

/** @param {'client' | 'host'} from @param {import('node:stream').Readable} source @param {import('node:stream').Writable} sink */
function tap(from, source, sink) {
  sink.on('error', () => {});
  source.on('data', (chunk) => {
    appendFileSync(log, `${JSON.stringify({ from, bytes: chunk.toString('base64') })}\n`);
    if (!sink.write(chunk)) {
      source.pause();
      sink.once('drain', () => source.resume());
    }
  });
  source.on('end', () => sink.end());
}
tap('client', process.stdin, child.stdin);
tap('host', child.stdout, process.stdout);
child.on('close', (code, signal) => {
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
