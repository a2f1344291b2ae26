// Statements 50 to 132: an implementation against hosts that misbehave.

const violation = 'statements/violations: one reason for everybody, no process left, another host next:';
const tolerated = 'statements/tolerated: every call gets its own answer, and the host goes on:';
const start =
  'statements/handshake: one failure for all who wait, the host is gone by then, and the next open gets another one:';
const inUse = 'statements/life: a host in use is one reason for everybody, and another host comes next:';
const loss = 'a second after a SIGKILL of its supervisor while it';

export const hostStatements = `
50 no arguments, our working directory, a process group of its own
  statements/handshake: a host gets no argument of ours, our working directory, and a group of its own
  process/process-group: a host leads a group of its own
51 the five names are absent in every case, an API key is there
  process/environment: the launch context of Codex never reaches a host, in no spelling, not even when asked for
  process/environment: by default a host gets the allow-list and nothing else
  e2e/environment: --env and --inherit-env together pass a secret that was asked for
  differs: removes five names from the environment
52 an env option cannot bring them back
  process/environment: the launch context of Codex never reaches a host, in no spelling, not even when asked for
53 every cause of a failed spawn is one rejection with its text, and nothing is thrown
  statements/handshake: whatever cannot be started is one rejection for each caller, and nothing is thrown at them
  process/spawn-failure: a missing interpreter is named
  process/spawn-failure: an empty executable is refused, not reported as a success
54 all rows of the truncation table
  process/display-path: all 22 worked examples of the specification are here
  process/display-path: a path is shown in at most 512 bytes, cut before a character: bytes that are not UTF-8
55 20 MB of stderr, in lines or in one, and bytes that are no text: the run succeeds, memory is bounded, no EPIPE
  process/stderr: 20 MB of stderr, and then 20 MB in one line, stall nobody and leave 8 KiB
  process/stderr: after a line that is not UTF-8, and a listener that throws, stderr is still read
  e2e/start-fixtures: whatever a host writes to stderr, its hello arrives: floods-stderr
  e2e/start-fixtures: whatever a host writes to stderr, its hello arrives: floods-stderr-without-newline
56 stderr is in the debug log and not in results
  e2e/start-fixtures: stderr of a host is shown on demand, lossy where it is no text
  e2e/start-fixtures: whatever a host writes to stderr, its hello arrives: invalid-utf8-on-stderr
  note: a library has no log: lines are events, which --verbose prints with the prefix [host]
57 an exit with 0 or 7, a SIGKILL, a closed stdout are exits during the handshake
  ${start} 57: exits with 0
  ${start} 57: exits with 7
  ${start} 57: is killed
  ${start} 57: closes its stdout
  differs: \`code-mode host exited during handshake\`
58 half a header, half a payload: early eof
  ${start} 58: says half a header
  ${start} 58: says half a hello
59 a banner is no hello
  ${start} 59: prints a banner
  differs: reads a banner on stdout as a length
60 version 2
  ${start} 60: selects version 2
  differs: shows Rust debug dumps
61 three kinds of rejection
  ${start} 61: knows no version of ours
  ${start} 61: misses a capability
  ${start} 61: finds the hello invalid
62 another message
  ${start} 62: says something else
63 a capability twice
  ${start} 63: grants a capability twice
64 a capability that nobody asked for is accepted
  e2e/tolerated-fixtures: a newer host may grant and say more than we know
  connection/handshake: the hello offers version 1 and optional capabilities, and an unasked grant is accepted
65 silence is one failure at 30 s, with the host reaped by then
  connection/handshake: silence is one failure after exactly the limit, and leaves no timer
  ${start} 65: is silent
66 a host that ignores SIGTERM is gone too
  ${start} 66: ignores SIGTERM
67 after each of these the next open spawns and can succeed
  ${start} 57: exits with 0
  supervisor/handshake: a host that fails once and then works is used the second time
  note: each row of 57 to 66 goes on with a second host that behaves
68 bad JSON
  ${violation} 68: a frame that is not JSON
69 an unknown type
  ${violation} 69: an unknown type of message
70 an unknown field
  ${tolerated} 70: an unknown field
  differs: refuses unknown fields
71 an id of 2.5
  ${violation} 71: an id of 2.5
72 a length of 2 GiB
  ${violation} 72: a length of 2 GiB
73 64 MiB and 1 dies, exactly 64 MiB is accepted
  ${violation} 73: a length of 64 MiB and 1
  statements/life: 73: a frame of exactly 64 MiB is accepted
74 a length of 0 dies
  ${violation} 74: a length of 0
75 byte by byte works
  e2e/frame-fixtures: frames may come byte by byte, cut inside characters
  connection/framing: frames that come byte by byte are understood
76 1,000 frames in one chunk work
  e2e/frame-fixtures: a thousand frames may come in one write, also behind the hello
77 the end inside a frame is an early eof
  ${violation} 77: the end of the stream inside a frame
  statements/life: half a frame and then nothing is ended by the limit of whoever waits
78 an unknown id
  ${violation} 78: an answer to nothing
79 a second answer
  ${violation} 79: a second answer
80 a first result before the start
  ${violation} 80: a first result before the start
81 a first result twice
  ${violation} 81: a second first result
82 a first result for an unknown id
  ${violation} 82: a first result for nothing
83 a first result of another cell
  ${violation} 83: a first result of another cell
84 a second ready
  ${violation} 84: a second ready
85 a rejection after the ready
  ${violation} 85: a rejection after the ready
86 the end of an unknown cell
  ${violation} 86: the end of an unknown cell
87 the end of a cell in an unknown session
  ${violation} 87: the end of a cell in an unknown session
88 the end of a cell twice
  ${violation} 88: the end of a cell twice
89 an open answered with a wrong type, a wrong id, twice
  ${violation} 89: an open answered with another type
  ${violation} 89: an open answered for another session
  ${violation} 89: an open answered twice
90 an execute answered with a wrong type
  ${violation} 90: an execute answered with another type
91 the id of a live cell used again; that of a closed one is fine
  ${violation} 91: the id of a live cell for another
  ${tolerated} 91: the id of a closed cell for another
92 a wait answered for another cell, or with a wrong type
  ${violation} 92: a wait answered for another cell
  ${violation} 92: a wait answered with another type
  ${violation} 92: a terminate answered for another cell
  ${violation} 92: a terminate answered with another type
93 a refused shutdown is the end for all sessions, in the host's words
  ${violation} 93: a shutdown refused
  ${violation} 93: a shutdown answered with another type
  ${violation} 93: a shutdown answered for another session
94 closed before the first result
  ${tolerated} 94: the end of a cell before its first result
95 never closed
  ${tolerated} 95: no end of a cell at all
96 the cancellation of an unknown call
  ${tolerated} 96: the cancellation of an unknown call
97 calls for an unknown cell and session are answered, and their id is free
  ${tolerated} 97: calls for an unknown cell and session, and then their id for a known cell
  connection/delegates: calls for unknown cells and sessions are answered, not started, and their ids are not used up
98 errors for open, execute, wait and terminate
  ${tolerated} 98: an error for an open
  ${tolerated} 98: an error for an execute
  ${tolerated} 98: an error for a wait
  ${tolerated} 98: an error for a terminate
99 an error for a first result
  ${tolerated} 99: an error for a first result
100 an exit with 3, or a SIGKILL, while a wait is pending
  ${inUse} 100: exits with 3
  ${inUse} 100: is killed
  differs: reports "closed its stdout" or "exited"
101 a grandchild holds stdout: the exit is the reason, within 1 s
  statements/life: 101: a grandchild that holds stdout delays nobody, and every caller hears of the exit
102 stdout closed, host lives: that is the reason, and the host is killed
  statements/life: 102: a host that closes its stdout and lives on is one reason for everybody, and is ended
103 stdin closed, host lives: the next request fails with the broken pipe
  statements/life: 103: a host that closes its stdin fails whoever asks next, all with the broken pipe
104 an answer and an exit in one write: the answer is delivered
  statements/life: 104: of an answer and an exit in one go the answer is delivered, the exit is for the others
105 two failures at once: one reason, the same for everybody, also later
  statements/life: 105: of a bad frame and an exit at once, one is the reason of everybody, then and later
106 a stopped host fails the wait at its limit, and is dead then
  statements/life: 106: a stopped host is given up at the limit by everybody, and killed
107 a host that never reads: the queue is full after 128 frames, and nobody waits for the pipe
  statements/life: 107: a host that never reads is given up when 128 requests wait, and nobody waits for its pipe
  connection/writer: 128 requests wait for a host that does not read, one more is too many
108 a host that reads slowly gets 200 frames of 256 KiB whole, and other sessions go on
  statements/life: 108: 200 answers of 256 KiB reach a host that reads slowly, and another session goes on meanwhile
  connection/writer: answers wait apart from requests, as many as the host may have calls open
109 10,000 calls of a tool that never returns: memory is bounded, beyond 1,024 there is the limit text
  statements/life: 109: 10,000 calls of a tool that never answers cost 1,024 and not more, the others get the limit
110 an abort before the frame, while pending, before the claim, after it: one cancel at most
  connection/callers: a call whose signal has fired already sends nothing
  connection/callers: an execute that was given up while pending is cancelled once, and terminated when it starts anyway
  connection/callers: an execute that was answered but not taken is cancelled and terminated
  connection/callers: an execute that was taken is not cancelled any more
111 an aborted open that succeeds is shut down
  connection/callers: an open that was given up is closed again when the host opens it
  supervisor/sessions: an opening that was given up is closed at the host when it arrives
112 an aborted wait, then a wait
  connection/callers: the next wait on a cell goes out only when a cancelled one was answered, and in order
113 an aborted wait that was held back was never sent
  connection/callers: a wait that was held back and then given up is never sent
114 an abort after the connection died sends nothing
  connection/callers: giving up after the connection died changes nothing
115 an abort listener that throws does not stop the others
  statements/our-end: 115: a listener of ours that throws keeps nobody from being told, and is no uncaught exception
  statements/our-end: 115: an owner's listener that throws is the owner's uncaught exception, and stops nothing
116 wait: its yield time and 61 s
  connection/limits: a host that never answers wait is given up after 61500 ms, by everybody
117 terminate: 60 s
  connection/limits: a host that never answers terminate is given up after 60000 ms, by everybody
118 a yield time of 3,000,000,000 does not time out at once
  statements/driver: 118: a yield time that no timer can count is no limit, and Node is not asked to count it
119 execute, open and shutdown have no limit
  statements/driver: 119: open, execute, first result and shutdown wait forever where that is asked for
  connection/limits: a host that never answers open is given up after 60000 ms, by everybody
  differs: waits forever for open, execute
120 a wait that ends in time leaves no timer
  connection/limits: an answer in time leaves no timer behind
  supervisor/death: a script that closes its host ends by itself, with nothing left that keeps Node alive
121 ten creates at once, one spawn
  supervisor/sessions: ten sessions at once share one host
122 ten creates with a missing host, one attempt and ten errors; the eleventh tries again
  statements/handshake: ten that need a missing host at once share one attempt; the eleventh makes its own
  supervisor/handshake: ten that need a host at once share one start and its failure; the eleventh tries again
123 two sessions, one host: stored values apart, and the end of one leaves the other
  statements/end-to-end: 123: two sessions share the host, but no stored value; the end of one leaves the other
124 generation and number grow with failed openings
  supervisor/sessions: generation and session number grow with failed openings too
125 a g2 id in generation 1 and a bare id in generation 2 are stale
  connection/requests: in generation 1 an id with a generation is stale
  connection/requests: cell ids of later generations carry the generation, both ways
126 a second shutdown has the result of the first; use afterwards is refused
  supervisor/sessions: a shutdown is shared, and refuses every later use
127 a shutdown during an opening waits for it, then closes
  supervisor/sessions: a session that is shut down while it is being opened is opened first, then closed
128 a shutdown over a dead connection returns after the cells were closed
  supervisor/sessions: a shutdown over a dead connection returns, with the cells closed, and starts nothing
129 limits are refused without the capability, the connection lives, {} is never refused
  supervisor/sessions: limits need the capability; without it the host stays usable
  connection/requests: limits are refused without the capability, no limits never are
130 dropping everything leaves no process within 1 s
  statements/our-end: 130: what is let go of with its scope has left no process within a second
  process/our-own-end: no process is left after process.exit without a disposal
  note: JavaScript tells nobody that the last reference went; what drops a host here is its scope, or our exit
131 the supervisor is killed: the real host is gone within 1 s, whatever it does
  statements/our-end: 131: the real host is gone ${loss} spins
  statements/our-end: 131: the real host is gone ${loss} prints without end
  statements/our-end: 131: our host is gone ${loss} spins
  statements/our-end: 131: the real host that is stopped then is gone as soon as it goes on
  e2e/kill: nothing outlives a SIGKILL of codemode-run while a cell allocates
  note: each of the 13 states in statements/our-end has a test with either host
132 an interrupt of the terminal's group does not reach the host; our handler ends it
  statements/our-end: 132: an interrupt from the terminal does not reach the host
  statements/our-end: 132: but codemode-run ends, and its host with it
`;
