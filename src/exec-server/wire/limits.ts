// Numbers of the exec-server's wire; source: the reference server 0.171.0, as observed. Sizes are in bytes, times in ms.

export const MAX_LINE_BYTES = 67_108_864;
export const MAX_WS_FRAME_BYTES = 16_777_216;
export const MAX_WS_MESSAGE_BYTES = 67_108_864;
/** Containers inside containers. */
export const MAX_MESSAGE_DEPTH = 127;
/** JSON values in one message, keys not counted; also in an answer, unless its client says that it takes more. */
export const MAX_MESSAGE_VALUES = 262_144;
/** What our client takes in one answer, and says so: a little less than a string of V8 can have. */
export const MAX_ANSWER_BYTES = 536_000_000;
export const MAX_ANSWER_VALUES = 8_388_608;
/** Messages that wait for a peer which does not read; beyond that no further request of it is begun. */
export const MAX_QUEUED_MESSAGES = 128;
/** Answers that wait for it, those to what may pass included; beyond that nothing more is read from it. */
export const MAX_QUEUED_ANSWERS = 4_096;
/** Requests under way on one connection; others wait, and reads that wait for output are answered to make room. */
export const MAX_RUNNING_REQUESTS = 1_024;
/** Requests of one connection under way or waiting, and the bytes of their messages; beyond that it is not read. */
export const MAX_HELD_REQUESTS = 16_384;
export const MAX_HELD_REQUEST_BYTES = 67_108_864;

/** Bytes of answers that are made for a peer which does not read, on one connection; one may always have more. */
export const MAX_HELD_ANSWER_BYTES = 67_108_864;

export const RETAINED_BYTES = 1_048_576;
export const RETAINED_CHUNKS = 50_000;
export const MAX_CHUNK_BYTES = 8_192;
export const PTY_ROWS = 24;
export const PTY_COLUMNS = 80;
export const REMEMBERED_WRITE_IDS = 4_096;
export const ENDED_PROCESS_MS = 80_000;
export const DETACHED_SESSION_MS = 80_000;

/** Of a URI: three times what Linux allows for a path, and more. */
export const MAX_PATH_URI_LENGTH = 32_768;
export const MAX_FILE_READ_BYTES = 536_870_912;
/** Of a file that says it is empty, as those of /proc do. */
export const MAX_UNSIZED_COPY_BYTES = 67_108_864;
export const MAX_HANDLE_ID_BYTES = 32;
export const MAX_FILE_HANDLES = 128;
export const MAX_BLOCK_BYTES = 1_048_576;
export const MAX_WALK_DEPTH = 64;
export const MAX_WALK_DIRECTORIES = 10_000;
export const MAX_WALK_ENTRIES = 50_000;

export const PING_INTERVAL_MS = 30_000;
/** Pings without any answer after which a WebSocket counts as lost. */
export const MISSED_PONGS = 2;
/** How long a connection may take for `initialize` and `initialized`. */
export const HANDSHAKE_LIMIT_MS = 10_000;
/** How long requests that came before the end of input may go on without any progress, and how long altogether. */
export const DRAIN_LIMIT_MS = 5_000;
export const WHOLE_DRAIN_LIMIT_MS = 60_000;
/** How long nothing may move on a connection that is not read, as its peer has sent more than may wait. */
export const STALL_LIMIT_MS = 60_000;

export const CONNECT_TIMEOUT_MS = 10_000;
export const INITIALIZE_TIMEOUT_MS = 10_000;
/** How long a client tries to resume its session. Below `DETACHED_SESSION_MS`, after which there is nothing to resume. */
export const RECOVERY_LIMIT_MS = 45_000;
export const RECOVERY_RETRY_MS = 100;
/** How long a client waits for a number that is missing before it asks. */
export const GAP_PATIENCE_MS = 5_000;
/** Between the end of a stdio server's input and the end of its patience. */
export const STDIO_EXIT_LIMIT_MS = 2_000;
