/** What no server should send, as text. `{"toString":null}` can not be made a string or a number: the attempt throws. */
export const hostileLines = {
  level: '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":{"toString":null},"data":1}}',
  id: '{"jsonrpc":"2.0","id":{"toString":null},"result":{}}',
  progressToken:
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{"toString":null},"progress":1}}',
  nested: `${'['.repeat(200_000)}1${']'.repeat(200_000)}`,
  deepLog: `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
  batches: '[[{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}}]]',
} as const;

/** An error without a message, which has to be shown some other way; ID stands for the id of the request. */
export const deepError = `{"jsonrpc":"2.0","id":ID,"error":{"code":1,"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
