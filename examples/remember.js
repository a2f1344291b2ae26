// A cell: leaves something for the next one. Cells of one run share a session, but nothing else:
//   codemode-run examples/remember.js examples/recall.js

const primes = [];
for (let candidate = 2; primes.length < 1000; candidate += 1) {
  if (primes.every((prime) => prime * prime > candidate || candidate % prime !== 0)) primes.push(candidate);
}
store('primes', primes);
text(`stored ${primes.length} primes`);
