import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolDeclaration } from '../../../src/tools/declarations/index.js';
import { wordsOf } from '../../../src/tools/search/tool-index.js';
import { type ToolSearchAnswer, toolSearch } from '../../../src/tools/search/tool-search.js';
import { entryOf, realEntries } from '../declarations/stored-schemas.js';

type Entries = Parameters<typeof toolSearch>[0];

const context = { signal: new AbortController().signal, cellId: '1', callId: 'tool-1' };
const searching =
  (entries: Entries) =>
  async (query: unknown, limit?: unknown): Promise<ToolSearchAnswer> =>
    (await toolSearch(entries).handler({ query, limit }, context)) as ToolSearchAnswer;
const names = ({ results }: ToolSearchAnswer): string[] => results.map(({ name }) => name);

const tools = [
  entryOf('getIssue', { description: 'Reads one ticket.' }),
  entryOf('list_issues', {
    description: 'All tickets of a project.',
    inputSchema: { properties: { assigneeLogin: {} } },
  }),
  entryOf('create-pull-request', {
    description: 'Proposes a change.',
    group: { name: 'forge', description: 'Code hosting.' },
  }),
  entryOf('weather.today', { description: 'Sun, rain and wind.' }),
];
const search = searching(() => tools);

test('words are split where the case, the kind of character, or a sign changes', () => {
  assert.deepEqual(wordsOf('getHTMLPage2 list_issues create-pull.request Über用户'), [
    ...['get', 'html', 'page', '2', 'list', 'issues', 'create', 'pull', 'request', 'über用户'],
  ]);
});

test('tools are found by their name, description, parameters and group', async () => {
  assert.deepEqual(names(await search('pull request')), ['create_pull_request']);
  assert.deepEqual(names(await search('rain')), ['weather_today']);
  assert.deepEqual(names(await search('assignee')), ['list_issues']);
  assert.deepEqual(names(await search('hosting')), ['create_pull_request']);
  assert.deepEqual(names(await search('FORGE')), ['create_pull_request']);
  assert.deepEqual(names(await search('issue')).sort(), ['getIssue', 'list_issues']);
  assert.deepEqual(names(await search('wether')), ['weather_today']);
});

test('a result has what it takes to call the tool', async () => {
  const { results, total } = await search('wind');
  assert.equal(total, 1);
  const [first] = results;
  assert.deepEqual(
    { ...first, score: 0 },
    { name: 'weather_today', description: 'Sun, rain and wind.', declaration: toolDeclaration(tools[3]!), score: 0 },
  );
  assert.ok(first!.score > 0);
});

test('a tool whose name is the query comes first', async () => {
  const more = [
    ...tools,
    entryOf('issue', { description: 'x' }),
    entryOf('issue_issue_issue', { description: 'issue issue issue' }),
  ];
  for (const [query, name] of [
    ['issue', 'issue'],
    ['get issue', 'getIssue'],
    ['getIssue', 'getIssue'],
    ['weather.today', 'weather_today'],
    ['LIST-ISSUES', 'list_issues'],
  ]) {
    const { results } = await searching(() => more)(query);
    assert.equal(results[0]?.name, name, query);
    assert.ok(results.every(({ score }) => score <= results[0]!.score));
  }
  assert.deepEqual(names(await searching(() => [entryOf('_')])('_')), ['_']);
});

test('there are eight results unless asked otherwise, fifty at most, and the total counts all', async () => {
  const real = searching(() => realEntries);
  const { results, total } = await real('list');
  assert.equal(results.length, 8);
  assert.ok(total > 50);
  assert.equal((await real('list', 50)).results.length, 50);
  assert.equal((await real('list', 1)).results.length, 1);
  assert.equal((await real('list', null)).results.length, 8);
  for (const limit of [0, 51, 1.5, '5', Number.NaN]) {
    await assert.rejects(real('list', limit), {
      code: 'invalid-argument',
      message: 'limit must be a whole number from 1 to 50',
    });
  }
});

test('a query that says nothing is refused', async () => {
  for (const query of ['', ' \n\t'])
    await assert.rejects(search(query), { code: 'invalid-argument', message: /^query must say/ });
  for (const query of [undefined, null, 5, ['x']])
    await assert.rejects(search(query), { code: 'invalid-argument', message: 'query must be a string' });
  await assert.rejects(async () => await toolSearch(() => tools).handler(null, context), {
    message: 'query must be a string',
  });
});

test('when nothing matches there is a hint', async () => {
  assert.deepEqual(await search('zzzz'), {
    results: [],
    total: 0,
    hint: 'None of the 4 tools matches. Try other or fewer words: names, what a tool does, or its parameters.',
  });
  assert.deepEqual(await search('🦊'), { results: [], total: 0, hint: (await search('zzzz')).hint });
  assert.deepEqual(await searching(() => [])('x'), { results: [], total: 0, hint: 'There are no tools to search.' });
});

test('tools that come and go are found and not found', async () => {
  let now = tools.slice(0, 1);
  const tool = toolSearch(() => now);
  const found = async (query: string): Promise<string[]> =>
    names((await tool.handler({ query }, context)) as ToolSearchAnswer);
  assert.deepEqual(await found('rain'), []);
  now = [...now, tools[3]!];
  assert.deepEqual(await found('rain'), ['weather_today']);
  now = tools.slice(0, 3);
  assert.deepEqual(await found('rain'), []);
  now = now.map((entry, at) => (at === 0 ? entryOf('getIssue', { description: 'Rain.' }) : entry));
  assert.deepEqual(await found('rain'), ['getIssue']);
});

test('searches at the same time agree', async () => {
  const tool = toolSearch(() => realEntries);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => await tool.handler({ query: 'create issue' }, context)),
  );
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('the search does not find itself', async () => {
  const entries = [...tools];
  const tool = toolSearch(() => entries);
  entries.push({ tool, property: 'tool_search' }, { tool: { ...tool }, property: 'tool_search_2' });
  const answer = (await tool.handler({ query: 'tool_search' }, context)) as ToolSearchAnswer;
  assert.deepEqual(
    names(answer).filter((name) => name.startsWith('tool_')),
    [],
  );
  entries.push(entryOf('tool_search', { group: { name: 'other' } }));
  assert.deepEqual(names((await tool.handler({ query: 'tool_search' }, context)) as ToolSearchAnswer), ['tool_search']);
});

test('an answer stays short, and the first result is whole', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`property_${at}`, { type: 'string' }]),
  );
  const huge = Array.from({ length: 60 }, (_, at) =>
    entryOf(`huge_${at}`, { description: 'word '.repeat(20_000), inputSchema: { type: 'object', properties } }),
  );
  const { results, total } = await searching(() => huge)('huge 7', 50);
  assert.equal(total, 60);
  assert.ok(JSON.stringify(results).length < 256 * 1024);
  assert.equal(results[0]?.name, 'huge_7');
  assert.equal(results[0]?.declaration, toolDeclaration(huge[7]!));
  assert.match(results.at(-1)!.declaration, /args: unknown\): Promise<unknown \/\* too long/);
  assert.ok(results.every(({ description }) => description.length <= 600));
});

test('a query of any length and any characters is answered', async () => {
  for (const query of [
    'x'.repeat(1_000_000),
    '\ud800',
    '\0',
    '* OR 1=1',
    '__proto__',
    'constructor',
    'a '.repeat(100_000),
  ]) {
    assert.ok(Array.isArray((await search(query)).results));
  }
});
