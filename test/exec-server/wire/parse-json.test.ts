import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InexactNumber } from '../../../src/exec-server/wire/guard.js';
import { parseJson } from '../../../src/exec-server/wire/parse-json.js';

const refuses = (source: string, complaint: string | RegExp): void => {
  assert.throws(
    () => parseJson(source),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, 'protocol-error');
      if (typeof complaint === 'string') assert.equal(error.message, complaint);
      else assert.match(error.message, complaint);
      return true;
    },
  );
};

test('good JSON comes out as JSON.parse has it', () => {
  const sources = [
    '{}',
    ' [1,-2.5,"a\\n\\u00e9\\ud83d\\ude00",true,false,null,{"a":{"b":[]}}] ',
    '"x"',
    '0',
    '-0.5e-3',
    '{"__proto__":1,"":2}',
    '{"a":"\\\\\\"","b":"\\/"}',
    '\t\r\n[ 1 , 2 ]\n',
  ];
  for (const source of sources) assert.deepEqual(parseJson(source), JSON.parse(source), source);
});

test('what is not JSON is refused with the complaint and the place that the reference gives', () => {
  refuses('garbage', 'expected value at line 1 column 1');
  refuses('\ufeff{"id":9,"method":"zzz"}', 'expected value at line 1 column 1');
  refuses('{"é": é}', 'expected value at line 1 column 8');
  refuses('{"id":9,"method":', 'EOF while parsing a value at line 1 column 17');
  refuses('{"id":9,"method":"zzz"} x', 'trailing characters at line 1 column 25');
  refuses('{"id":9,"method":"zzz"}{"id":10,"method":"zzz"}', 'trailing characters at line 1 column 24');
  refuses('{"id":9}\n{"id":10}', 'trailing characters at line 2 column 1');
  refuses('{', 'EOF while parsing an object at line 1 column 1');
  refuses('{"id":9,"method":"z\u0000"}', /^control character .* at line 1 column 20$/);
  refuses('{"id":9,"method":"\\ud800"}', 'unexpected end of hex escape at line 1 column 25');
  refuses('{"id":1,"id":2,"method":"zzz"}', 'duplicate JSON object key `id` at line 1 column 12');
  refuses('{"id":1,"method":"yyy","method":"zzz"}', 'duplicate JSON object key `method` at line 1 column 31');
  refuses('', 'EOF while parsing a value at line 1 column 0');
});

test('everything that JSON.parse refuses is refused, as are lone surrogates', () => {
  const sources = [
    '[1,]',
    '{"a":1,}',
    '[1 2]',
    '{"a" 1}',
    "{'a':1}",
    '01',
    '+1',
    '1.',
    '.5',
    '-',
    '1e',
    'tru',
    'NaN',
    '[',
    '["',
  ];
  const strings = ['"\\x"', '"\\u12"', '"\n"', '"\\', '"a', '"\\udc00"', '"\\ud800\\u0041"', '"\\ud800x"'];
  for (const source of [...sources, ...strings, '{,}', '[,1]', '{"a":}', ']', '{"a":1', '1e999'])
    refuses(source, /column \d+$/);
});

test('a member may not come twice at any depth, however it is spelled', () => {
  refuses('{"params":{"a":1,"\\u0061":2}}', /^duplicate JSON object key `a`/);
  assert.deepEqual(parseJson('[{"a":1},{"a":1}]'), [{ a: 1 }, { a: 1 }]);
});

test('126 arrays in the params are read, and 127 are not', () => {
  const nested = (depth: number) => `{"id":1,"method":"m","params":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  parseJson(nested(126));
  refuses(nested(127), /^recursion limit exceeded at line 1 column/);
  refuses(`${'['.repeat(1_000_000)}`, /^recursion limit exceeded/);
});

test('262,140 values in the params are read, and 262,150 are not', () => {
  const wide = (values: number) => `{"id":1,"method":"m","params":[${Array(values).fill('0').join(',')}]}`;
  parseJson(wide(262_140));
  refuses(wide(262_150), /^JSON-RPC message exceeds the limit of 262144 JSON values at/);
});

test('integers beyond 2^53 keep their digits, wherever they stand', () => {
  const source = '{"id":9223372036854775807,"params":{"a":[1,-9007199254740993],"b":18446744073709551615}}';
  assert.deepEqual(parseJson(source), {
    id: 9_223_372_036_854_775_807n,
    params: { a: [1, -9_007_199_254_740_993n], b: 18_446_744_073_709_551_615n },
  });
  assert.equal(parseJson('9007199254740993'), 9_007_199_254_740_993n);
  const planted = parseJson('{"__proto__":9007199254740993}') as object;
  assert.equal(Object.getPrototypeOf(planted), Object.prototype);
  assert.deepEqual(Object.values(planted), [9_007_199_254_740_993n]);
});

test('a number that is an integer only by value stays recognisable', () => {
  for (const source of ['1.0', '1e3', '-0', '1E+2', '123456789012345678901234567890']) {
    assert.ok(parseJson(source) instanceof InexactNumber, source);
  }
  assert.equal(parseJson('1.5'), 1.5);
});

test('megabytes of digits, text or escapes cost no more than reading them', { timeout: 20_000 }, () => {
  assert.throws(() => parseJson('9'.repeat(5_000_000)), { message: /^number out of range/ });
  assert.ok(parseJson(`1${'0'.repeat(300)}`) instanceof InexactNumber);
  assert.equal((parseJson(`"${'\\n'.repeat(2_000_000)}"`) as string).length, 2_000_000);
  assert.equal((parseJson(`"${'x'.repeat(20_000_000)}"`) as string).length, 20_000_000);
});
