/**
 * The id of the request that a line answers, of which the rest can not be read: some servers write `NaN`. The usual way to
 * write an answer is known, no other.
 */
export function answeredId(line: string): number | undefined {
  const id = answer.exec(line.slice(0, 200))?.groups?.id;
  return id === undefined ? undefined : Number(id);
}

const answer =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(?<id>\d{1,15})"?\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
