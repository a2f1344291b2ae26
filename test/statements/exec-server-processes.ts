// Statements 64 to 146: processes.

export const processStatements = `
64 a start answers with its id
server/processes: a start answers with the id and no sandbox, and its events have the shapes of the wire
65 an empty argv is refused
server/processes: params that do not fit are refused by name
66 so is each missing member, by name; arg0 may be missing
server/processes: params that do not fit are refused by name
wire/params: process/start needs five members, and names the one that is missing
67 an id is taken while its process runs
server/processes: an id is taken while its process runs and after it has ended, and free after a failed start
68 and after its end
server/processes: an id is taken while its process runs and after it has ended, and free after a failed start
69 an empty argv is looked at before a taken id
server/processes: an id is taken while its process runs and after it has ended, and free after a failed start
70 after a failed start the id is free
server/processes: an id is taken while its process runs and after it has ended, and free after a failed start
71 a missing program or folder is spawnNotFound
server/processes: what the system refuses comes with its words and a kind
72 a folder as program is spawnPermissionDenied, a file as folder spawnFailed
server/processes: what the system refuses comes with its words and a kind
73 a native path is no URI
server/path-uri: what is no file URI of this machine is refused in the words of the reference
74 other schemes, queries and fragments are refused
server/path-uri: what is no file URI of this machine is refused in the words of the reference
server/path-uri: a foreign working directory is refused as a parameter
75 spaces reach the folder, encoded or not
server/processes: the working directory is the one in the URI
76 a child sees exactly its environment
server/processes: the child sees exactly its environment, whatever its names are
server/environment-policy: without a policy the environment is exactly what was given
77 a name is looked up in its PATH
server/processes: what the system refuses comes with its words and a kind
78 everything of the server is inherited where that is asked for; env wins over set
server/environment-policy: all, core and none of our own is inherited
server/environment-policy: what is given wins over what is set, and that over what is inherited
79 names are excluded in any case
server/environment-policy: patterns match in any case, and only what they say
80 includeOnly also drops what is set, never env
server/environment-policy: a list of wanted names also drops what is set, never what is given
81 what looks like a secret is dropped when it is inherited
server/environment-policy: only what is inherited is dropped for looking like a secret
82 arg0 changes the name alone
server/processes: arg0 changes the name and nothing else
server/terminals: arg0 changes the name on a terminal, too
83 stdin is nothing, or a pipe where that is asked for
server/processes: stdin is nothing by default; outputs are pipes that can be opened by name
server/writes: what is written arrives, in the order of the requests, without waiting for answers
84 a terminal is 24 by 80, on all three descriptors, and one stream
server/terminals: a terminal has 24 rows of 80, three ends, one stream, and adds nothing to the environment
85 a child leads its group and its session
server/processes: a child leads a group and a session, and has no signals blocked and no files but the three
86 it has no descriptors but its three
server/processes: a child leads a group and a session, and has no signals blocked and no files but the three
differs: what our own parent leaves open
87 exit codes are those of shells
server/processes: exit codes are those of shells
88 the same on a terminal
server/terminals: exit codes of a terminal are those of a pipe, also of a killed child
differs: a killed terminal child
89 output has a number, a stream and a chunk
server/processes: a start answers with the id and no sandbox, and its events have the shapes of the wire
server/processes: stdin is nothing by default; outputs are pipes that can be opened by name
server/terminals: a terminal has 24 rows of 80, three ends, one stream, and adds nothing to the environment
90 exited has a number, a code and sandboxDenied
server/processes: a start answers with the id and no sandbox, and its events have the shapes of the wire
91 closed comes once, with the highest number
server/processes: a start answers with the id and no sandbox, and its events have the shapes of the wire
server/order: events come behind the start's answer, in the order of their numbers, output before the exit: one line
92 numbers begin at 1 and have no gaps
server/order: events come behind the start's answer, in the order of their numbers, output before the exit: both streams
server/output-log: numbers start at 1 and are shared by output and other events
93 all bytes are told, also beyond what is retained
server/flow: 50 MB through a pipe to a reader that rests cost a bounded amount of memory, and all of it arrives
server/reads: beyond 1 MiB the oldest output is gone, everybody was told all of it, and a late reader is told of the loss
94 nobody else is told
server/processes: two connections do not see each other, and may use one id
95 what a background child prints comes behind the exit, and before closed
server/order: what a background child prints after the end of its parent comes behind the exit, and before the end
96 after a terminate closed comes within 1 s, whatever holds the pipe
server/trees: terminate ends all of a tree: setsid child
97 chunks have 8192 bytes at most
server/reads: beyond 1 MiB the oldest output is gone, everybody was told all of it, and a late reader is told of the loss
98 the answer to the start comes before all events
server/order: events come behind the start's answer, in the order of their numbers, output before the exit: one line
differs: start first
99 events come in the order of their numbers
server/order: events come behind the start's answer, in the order of their numbers, output before the exit: both streams
differs: start first
100 output of the leader comes before its exit
server/order: events come behind the start's answer, in the order of their numbers, output before the exit: much output
differs: start first
101 bytes come through as they are
server/reads: bytes that are no text arrive as they are
wire/base64: bytes of every length come back as they were
102 a page has the members of the wire
server/reads: a page has the members of the wire, in their order
103 an unknown id is refused at once, also with a wait
server/reads: numbers that are none, and processes that are unknown, are refused at once
104 a silent process has an empty page and the number 1
../statements/exec-server: 104, 114: a silent process has an empty page, and output that is there does not wait
105 a whole page has all chunks, and a number behind exit and end
server/reads: a page has the members of the wire, in their order
106 afterSeq leaves out what was read
server/reads: limits and cursors page through the output, and a page in the middle tells the end
server/output-log: every cursor finds what a search from the start finds
107 maxBytes gives whole chunks, and at least one
server/reads: limits and cursors page through the output, and a page in the middle tells the end
server/output-log: a page has at least one chunk, and no more bytes than asked for otherwise
108 nextSeq is behind the last chunk with a limit, else the next of the process
server/output-log: with a limit a page ends behind its last chunk, without one at the next number
server/reads: limits and cursors page through the output, and a page in the middle tells the end
109 a walk sees every chunk once
server/reads: limits and cursors page through the output, and a page in the middle tells the end
110 a page in the middle tells the end already
server/reads: limits and cursors page through the output, and a page in the middle tells the end
111 reading takes nothing away
server/reads: a page has the members of the wire, in their order
112 waitMs is waited for
server/reads: a read waits for silence to end: by output, by an exit, by its own time
113 output and an exit end the wait
server/reads: a read waits for silence to end: by output, by an exit, by its own time
114 output that is there is given at once
../statements/exec-server: 104, 114: a silent process has an empty page, and output that is there does not wait
115 behind the exit a read waits for closed
server/reads: behind the exit a read waits for the end of the streams, behind the end for nothing
116 behind closed for nothing
server/reads: behind the exit a read waits for the end of the streams, behind the end for nothing
117 what is no number of 64 bits without a sign is refused
wire/params: numbers are integers of 64 bits without a sign, fraction or exponent
server/reads: numbers that are none, and processes that are unknown, are refused at once
118 the largest of them is a long wait
wire/params: numbers are integers of 64 bits without a sign, fraction or exponent
server/reads: a read waits for silence to end: by output, by an exit, by its own time
119 two readers both get the chunk
server/reads: a read waits for silence to end: by output, by an exit, by its own time
120 1 MiB is retained, less a chunk at most
server/reads: beyond 1 MiB the oldest output is gone, everybody was told all of it, and a late reader is told of the loss
server/output-log: no more than 50,000 chunks are retained, and 1 MiB
121 an old cursor begins at the oldest chunk
server/reads: beyond 1 MiB the oldest output is gone, everybody was told all of it, and a late reader is told of the loss
server/output-log: the oldest whole chunks are evicted, and the reader can see how much it missed
122 and is told what is gone
server/reads: beyond 1 MiB the oldest output is gone, everybody was told all of it, and a late reader is told of the loss
server/output-log: the oldest whole chunks are evicted, and the reader can see how much it missed
differs: what was dropped
123 50,000 chunks at most
server/output-log: no more than 50,000 chunks are retained, and 1 MiB
124 closed is never told before the last chunk can be read
server/order: what a background child prints after the end of its parent comes behind the exit, and before the end
server/order: events come behind the start's answer, in the order of their numbers, output before the exit: much output
125 what is typed at a terminal is accepted, and echoed
server/terminals: what is typed is echoed and read, and control characters do what they do
126 a pipe takes it without an echo
server/writes: what is written arrives, in the order of the requests, without waiting for answers
127 without a pipe it is stdinClosed
server/writes: nothing is accepted that can not arrive
128 an unknown id is unknownProcess
server/writes: nothing is accepted that can not arrive
129 a write needs an id that is not empty
server/writes: chunks that are not base64, and ids that are none, are refused
wire/params: write needs its id, and the only signal is interrupt
130 one id writes once, whatever the bytes
server/writes: a repeated write id counts once, also with other bytes
131 4096 ids are remembered
server/writes: the last 4096 write ids are remembered
132 only strict base64 is taken
wire/base64: what is not strictly base64 is refused in the words of the reference
server/writes: chunks that are not base64, and ids that are none, are refused
133 an empty chunk is accepted
../statements/exec-server: 133, 143: an empty chunk is accepted; after a terminate output can be read, and the id is taken
134 writes keep their order
server/writes: what is written arrives, in the order of the requests, without waiting for answers
differs: writes keep their order
135 a mebibyte arrives
server/writes: a mebibyte in one write reaches the child, and eof closes its stdin
136 on a terminal ^C interrupts, and ^D ends
server/terminals: what is typed is echoed and read, and control characters do what they do
../peers/exec-server: interrupts a command at its terminal, which may clean up
../peers/exec-server: types at a terminal, and ends its input
137 after the end it is stdinClosed
server/writes: nothing is accepted that can not arrive
differs: \`stdinClosed\` when
138 a child that does not read does not hold up its terminate
server/writes: a child that never reads holds up neither its own end nor anybody else
server/terminals: a terminal whose program does not read holds up neither the server nor its own end
differs: a child that does not read
139 terminate says running, and 137 and closed follow
server/trees: terminate ends all of a tree: plain
140 for what is unknown or ended it says not running
server/trees: a child that traps everything is gone without seeing a signal, and its output before stays
141 traps do not help, and do not run
server/trees: a child that traps everything is gone without seeing a signal, and its output before stays
142 the group dies, and with us also who has left it
server/trees: terminate ends all of a tree: setsid child
differs: \`setsid\` child
143 output from before can be read, and the id stays taken
../statements/exec-server: 133, 143: an empty chunk is accepted; after a terminate output can be read, and the id is taken
144 what a leader has left is killed by a late terminate
server/trees: what a leader has left behind is ended by a late terminate, which leads to the end of its streams
server/reads: behind the exit a read waits for the end of the streams, behind the end for nothing
145 an interrupt is SIGINT, to be trapped or to die from
server/processes: an interrupt reaches the group; for what is gone it is nothing, and there is no other signal
../statements/exec-server: 145: an interrupt that is not trapped ends a process with 130
146 for what is gone it is nothing, and there is no other signal
server/processes: an interrupt reaches the group; for what is gone it is nothing, and there is no other signal
`;
