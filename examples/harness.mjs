// A harness in small: it registers `exec` and `wait` with a model, and forwards the model's calls. The model is a script
// here, so that nothing but Node is needed: node examples/harness.mjs
import { setTimeout as sleep } from 'node:timers/promises';
import { answerForError, ExecContract, Host, Toolbox } from 'codemode-run';

const toolbox = new Toolbox([
  {
    name: 'weather',
    description: 'The weather in a city, after a while.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    async handler({ city }, { signal }) {
      await sleep(500, undefined, { signal });
      return { city, sky: city.length % 2 === 0 ? 'clear' : 'cloudy' };
    },
  },
]);

/** What a model would do: it gives its next call when it has read the answer to the last one; none when it is done. */
function* model(tools) {
  console.log(`model: I have the tools ${tools.map(({ name }) => name).join(' and ')}.\n`);
  const source = [
    '// @exec: {"yield_time_ms": 100}',
    'text("asking");',
    'const cities = ["Oslo", "Lisbon", "Reykjavik"];',
    'const all = await Promise.all(cities.map((city) => tools.weather({ city })));',
    'for (const { city, sky } of all) text(city + ": " + sky);',
  ].join('\n');
  let answer = yield { id: 'call_1', name: 'exec', input: source };
  for (let turn = 2; answer.status === 'running'; turn += 1)
    answer = yield { id: `call_${turn}`, name: 'wait', input: { cell_id: answer.cellId } };
}

const host = new Host();
try {
  const contract = await ExecContract.open(host, {
    toolbox,
    onNotify: ({ toolCallId, text }) => console.log(`${toolCallId} tells: ${text}`),
  });
  const turns = model(contract.tools);
  let turn = turns.next();
  while (!turn.done) {
    const { id, name, input } = turn.value;
    console.log(`model calls ${name}: ${typeof input === 'string' ? `\n${input}` : JSON.stringify(input)}`);
    const answering = name === 'exec' ? contract.exec(input, { toolCallId: id }) : contract.wait(input);
    // A host that was lost: the harness hears why, and the model too.
    const answer = await answering.catch((error) => {
      console.error(error);
      return answerForError(error);
    });
    console.log(`\n${answer.text}\n`);
    turn = turns.next(answer);
  }
} finally {
  await host.close();
}
