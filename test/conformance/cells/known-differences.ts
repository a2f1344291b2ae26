/** Probes that come out differently than with the reference host, and why. */
export interface KnownDifference {
  readonly probes: readonly string[];
  readonly why: string;
  /** The versions of Node with which they differ; all when left out. */
  readonly nodes?: readonly number[];
  /** The beginning of its row in docs/differences.md, when it is a difference on purpose. */
  readonly row?: string;
}

/** What this table has been checked with. Versions in between have no long-term support. */
export const checkedNodes: readonly number[] = [20, 22, 24, 26];

export const knownDifferences: readonly KnownDifference[] = [
  // On purpose, with every version of Node.
  {
    probes: ['globals.helper-name-length'],
    why: 'our helpers are JavaScript',
    row: 'helpers print as `[native code]`',
  },
  {
    probes: ['tool.parallel-300', 'tool.parallel-5000-cap'],
    why: 'the calls are made; the reference is gone',
    row: 'some 200 calls in one tick lose the connection',
  },
  {
    probes: ['error.throw-tostring-throws', 'error.throw-stack-getter-throws'],
    why: 'the cell fails; the reference hangs',
    row: 'a thrown value whose `stack` or `toString` throws hangs the process',
  },
  {
    probes: [
      'limit.oom-array-64MB',
      'limit.oom-array-64MB-caught',
      'limit.oom-string-64MB',
      'limit.heap-other-cells-survive',
      'limit.oom-fatal-no-limit',
    ],
    why: 'the cell is ended; the reference does not keep to the limit, or dies',
    row: '`maxHeapSizeBytes` has no effect',
  },
  {
    probes: ['limit.output-frame-65MB'],
    why: 'the observation ends early, and nothing is lost',
    row: 'output beyond 64 MiB in one observation is lost',
  },
  // The engine, with every version of Node.
  { probes: ['error.stack-header-lazy'], why: 'Node writes the text of a stack when it is first read' },
  { probes: ['limit.stack-overflow-uncaught'], why: 'the stack is of another size' },
  { probes: ['limit.array-buffer'], why: 'V8 in Node words it differently when there is no room for a buffer' },
  { probes: ['globals.engine-features'], why: 'Math.sumPrecise, and whatever else the version lacks' },
  // The engine's age.
  { probes: ['globals.own-names'], why: 'globals that are missing; with 26, another order', nodes: [20, 22, 26] },
  { probes: ['limit.deep-json'], why: 'the stack is too small for JSON that deep', nodes: [20, 22, 24] },
  { probes: ['globals.presence'], why: 'no Iterator, DisposableStack, Float16Array', nodes: [20, 22] },
  { probes: ['audio.short-wav', 'trunc.wav-cost'], why: 'no Uint8Array.prototype.toBase64', nodes: [20, 22, 24] },
  { probes: ['module.regexp-flags'], why: 'no flags inside a regular expression', nodes: [20, 22] },
  { probes: ['exit.using-not-disposed'], why: 'no `using`', nodes: [20, 22] },
  { probes: ['error.json-parse'], why: 'no line and column in the text', nodes: [20] },
  { probes: ['text.getter-throws', 'image.getter-throws'], why: 'getters are told twice in a stack', nodes: [20] },
];

export const currentNode = Number(process.versions.node.split('.')[0]);

/** Those that are to differ with this Node. */
export const expectedDifferences = (): string[] =>
  knownDifferences
    .filter(({ nodes }) => nodes?.includes(currentNode) ?? true)
    .flatMap(({ probes }) => probes)
    .sort();
