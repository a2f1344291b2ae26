// What `exec` and `wait` look like in the requests of providers. Two shapes are usual: freeform tools, whose input the model
// writes as it is, and functions, whose arguments are JSON. The models are scripts here, so that nothing but Node is needed:
// node examples/providers.mjs
import { answerForError, ExecContract, Host, Toolbox } from 'codemode-run';

/** Tools, calls and outputs as items of one list. The source of a cell is the input of a custom tool. */
const freeform = {
  tools: (contract) =>
    contract.tools.map(({ kind, name, description, format, inputSchema }) =>
      kind === 'freeform'
        ? { type: 'custom', name, description, format }
        : { type: 'function', name, description, parameters: inputSchema, strict: false },
    ),
  calls: (items) =>
    items
      .filter(({ type }) => type === 'custom_tool_call' || type === 'function_call')
      // The arguments of a function are JSON text here, which `wait` takes as it is.
      .map((item) => ({ id: item.call_id, type: item.type, name: item.name, input: item.input ?? item.arguments })),
  output: ({ id, type }, answer) => ({ type: `${type}_output`, call_id: id, output: answer.items }),
};

/** Messages with blocks. The source of a cell is a field of the arguments, `{ source }`, which `exec` takes as well. */
const functions = {
  tools: (contract) =>
    contract.functionTools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
  calls: (blocks) => blocks.filter(({ type }) => type === 'tool_use'),
  output: ({ id }, answer) => ({
    type: 'tool_result',
    tool_use_id: id,
    is_error: !answer.success,
    content: answer.items.map(blockOf),
  }),
};

function blockOf(item) {
  if (item.type === 'input_text') return { type: 'text', text: item.text };
  const [, mime, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/.exec(item.image_url ?? '') ?? [];
  if (data === undefined) return { type: 'text', text: `[${item.type}]` };
  return { type: 'image', source: { type: 'base64', media_type: mime, data } };
}

/** Between a model and its cells: the same for every shape. */
async function converse(contract, shape, model) {
  const turns = model(shape.tools(contract));
  let turn = turns.next();
  while (!turn.done) {
    const outputs = [];
    for (const call of shape.calls(turn.value)) outputs.push(shape.output(call, await answerTo(contract, call)));
    turn = turns.next(outputs);
  }
}

/** A host that was lost is told to the model, too. */
const answerTo = (contract, { id, name, input }) =>
  (name === 'exec' ? contract.exec(input, { toolCallId: id }) : contract.wait(input)).catch(answerForError);

const source = 'text("asking"); yield_control(); text(await tools.weather({ city: "Oslo" }));';
const firstLine = (text) => text.split('\n')[0];

function* freeformModel(tools) {
  console.log(`freeform: ${tools.map(({ type, name }) => `${name} is a ${type} tool`).join(', ')}`);
  const [running] = yield [{ type: 'custom_tool_call', call_id: 'call_1', name: 'exec', input: source }];
  console.log(`freeform: ${running.type}: ${firstLine(running.output[0].text)}`);
  const [, cellId] = /cell ID (\S+)/.exec(running.output[0].text);
  const wait = {
    type: 'function_call',
    call_id: 'call_2',
    name: 'wait',
    arguments: JSON.stringify({ cell_id: cellId }),
  };
  const [ended] = yield [{ type: 'message', content: 'I look at it again.' }, wait];
  console.log(`freeform: ${ended.type}: ${firstLine(ended.output[0].text)}: ${ended.output.at(-1).text}`);
}

function* functionModel(tools) {
  console.log(
    `functions: ${tools.map(({ name, input_schema }) => `${name} takes ${input_schema.required}`).join(', ')}`,
  );
  const [running] = yield [{ type: 'tool_use', id: 'toolu_1', name: 'exec', input: { source } }];
  console.log(`functions: ${running.type}: ${firstLine(running.content[0].text)}`);
  const [, cellId] = /cell ID (\S+)/.exec(running.content[0].text);
  const [ended] = yield [{ type: 'tool_use', id: 'toolu_2', name: 'wait', input: { cell_id: cellId } }];
  console.log(`functions: ${ended.type}: ${firstLine(ended.content[0].text)}: ${ended.content.at(-1).text}`);
}

const weather = {
  name: 'weather',
  description: 'The weather in a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  handler: ({ city }) => ({ city, celsius: 21 }),
};

const host = new Host();
try {
  const contract = await ExecContract.open(host, { toolbox: new Toolbox([weather]) });
  await converse(contract, freeform, freeformModel);
  await converse(contract, functions, functionModel);
} finally {
  await host.close();
}
