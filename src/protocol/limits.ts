/** Sizes in bytes; source: the V1 protocol as the reference host and client apply it. */
export const MAX_FRAME_BYTES = 67_108_864;
/** Before the handshake is done a frame is a hello of some hundred bytes; anything larger is not a host talking. */
export const MAX_HELLO_BYTES = 65_536;
export const FRAME_HEADER_BYTES = 4;
/** Containers inside containers; the reference's JSON parser refuses the 128th. */
export const MAX_JSON_DEPTH = 127;
/** A host wraps what a cell hands to a tool, so a client takes this much more than a cell may hand over. */
export const MAX_HOST_JSON_DEPTH = MAX_JSON_DEPTH + 8;
/** Delegate calls without an answer, per connection; the second number with `delegate-capacity-4096`. */
export const MAX_DELEGATE_CALLS = 1024;
export const MAX_DELEGATE_CALLS_NEGOTIATED = 4096;
/** How many ids of finished requests, sessions and delegate calls a peer remembers in order to refuse them. */
export const REMEMBERED_IDS = 4096;
/** Requests under way and cells not yet collected, per connection, on the host's side. */
export const MAX_REQUESTS = 8192;
export const MAX_CELLS = 2048;
/** How long the first answer of a cell may take when the client does not say, in ms. */
export const DEFAULT_YIELD_MS = 10_000;
/** A yield time of at least `DEFAULT_YIELD_MS` is stretched by this much, in ms, so that a cell may end just in time. */
export const YIELD_GRACE_MS = 1_000;
export const DEFAULT_OUTPUT_TOKENS = 10_000;
export const PROTOCOL_VERSION = 1;
