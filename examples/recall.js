// A cell: picks up what examples/remember.js has stored.

const primes = load('primes');
if (primes === undefined) {
  text('nothing is stored: run remember.js first, in the same run');
  exit();
}
text(`the last of ${primes.length} primes is ${primes.at(-1)}`);
