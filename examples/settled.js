// A cell: several tool calls at once, each answer used when it comes, a failure in between does no harm.
//   codemode-run examples/settled.js --tools examples/slow.tools.js

const cities = ['Reykjavik', 'Oslo', 'Atlantis', 'Lisbon'];
const calls = cities.map((city) => tools.weather({ city }));

for await (const { index, status, value, reason } of as_settled(calls)) {
  text(status === 'fulfilled' ? `${value.city}: ${value.sky}` : `${cities[index]}: no answer (${reason})`);
}
