// Statements 147 to 202: files, sessions, what is newer, and the client.

export const otherStatements = `
147 files are read as they are, and through links
server/files: files are read whole, also those that say they are empty
148 a missing file is -32004
server/files: what is no file is not read, and never waited for
149 what is no file is refused, and never waited for
server/files: what is no file is not read, and never waited for
150 more than 512 MiB are refused
server/files: what is no file is not read, and never waited for
151 a file is made with 644, or emptied in place, and through links
server/files: a file is made or emptied in place, with its mode and through links
152 bad base64 makes no file
server/files: a file is made or emptied in place, with its mode and through links
153 a missing parent is -32004, a directory -32603, EACCES -32600
server/files: a file is made or emptied in place, with its mode and through links
154 parents are made by default
server/files: directories are made with their parents, unless that is not wanted
155 a file in the place of a directory is EEXIST
server/files: directories are made with their parents, unless that is not wanted
156 metadata are those of the target, and tell of the link
server/files: metadata are those of the target, and say whether the path is a link
157 a link that leads nowhere is -32004, a fifo neither kind
server/files: metadata are those of the target, and say whether the path is a link
158 a directory lists dot files, and kinds of targets, without links that lead nowhere
server/files: a directory lists everything but links that lead nowhere, by the kinds of targets
159 a file is no directory
server/files: a directory lists everything but links that lead nowhere, by the kinds of targets
160 removing forgives what is missing, and takes all below
server/files: removing takes everything below, forgives what is missing, and never follows a link
161 the target of a link stays
server/files: removing takes everything below, forgives what is missing, and never follows a link
162 without recursive a full directory stays
server/files: removing takes everything below, forgives what is missing, and never follows a link
163 copy needs to be told recursive
wire/params: null is not the same as absent, except for members that may be null
server/files: a file is copied with its mode, and never onto itself
164 a directory is not copied without it
server/files: a directory is copied into what is there, but not into itself
165 nor into itself, also by a link
server/files: a directory is copied into what is there, but not into itself
166 a copy keeps modes and links, merges, and leaves fifos out
server/files: a directory is copied into what is there, but not into itself
server/files: a file is copied with its mode, and never onto itself
167 onto a link is EEXIST
server/files: a file is copied with its mode, and never onto itself
server/files: a directory is copied into what is there, but not into itself
168 a file copied onto itself stays as it is
server/files: a file is copied with its mode, and never onto itself
differs: a file is not copied onto itself
169 hosts and NUL are refused, other spellings of a URI taken
server/path-uri: what is no file URI of this machine is refused in the words of the reference
server/path-uri: a path is found behind every spelling of its URI
170 a sandbox may be null, and not empty
server/processes: a sandbox is refused, never ignored, unless it is none
server/files: files are read whole, also those that say they are empty
171 a waiting read delays the next request of its connection
server/reads: with one request at a time a waiting read holds up the next, but not what ends it
server/reads: a waiting read holds up nobody
differs: a waiting read does not
172 not with places beside it; terminate passes
server/reads: a waiting read holds up nobody
connection/requests: a request that may pass does so when all places are taken, after looking at those ahead
173 of four starts of one id one wins
server/processes: of four racing starts of one id one wins
174 a client that does not read blocks the child, and loses nothing
server/flow: 50 MB through a pipe to a reader that rests cost a bounded amount of memory, and all of it arrives
server/flow: 50 MB through a terminal to a reader that rests cost a bounded amount of memory, and all of it arrives
175 one id on two connections is two processes
server/processes: two connections do not see each other, and may use one id
176 a process outlives its WebSocket
server/sessions: a session outlives its connection: output produced meanwhile can be read, later events arrive
../peers/exec-server: loses nothing of a command when its connection is cut
177 after a resume everything of it is there
server/sessions: a session outlives its connection: output produced meanwhile can be read, later events arrive
../peers/exec-server: loses nothing of a command when its connection is cut
178 a session in use cannot be taken
server/sessions: a session that is in use can not be taken, and its user notices nothing
179 an unknown or empty session is refused
server/handshake: a failed initialize may be followed by a good one, a good one by none
../statements/exec-server: 179: an empty session id is an unknown one
180 a resumed connection is told events, must say initialized, and has no file handles
server/sessions: a resumed connection gets events before it has said initialized, and answers to nothing else
server/sessions: a session outlives its connection: output produced meanwhile can be read, later events arrive
server/sessions: file handles end with their connection
181 the end of stdin kills everything, whatever it ignores
server/trees: the end of a session ends all of a tree, also on a terminal: setsid child
server/command: the end of input leaves nothing of a tree behind: setsid child
hostile: over stdio, who disappears in the middle of a message leaves nothing behind
182 SIGKILL of the server kills children at pipes
server/command: SIGKILL leaves nothing of a tree behind: setsid child
differs: SIGKILL of the server leaves no terminal child
../statements/exec-server: 182: SIGKILL of the server ends a terminal child that ignores a hang-up, too
183 SIGTERM drops clients, kills children, and ends with 0 within 4 s
../statements/exec-server: 183: SIGTERM drops the clients of a WebSocket server and kills their processes, within 4 s
184 200 processes at once
server/processes: fifty processes at once run and can be terminated
185 80 s for ended processes, and for sessions without a client
../statements/exec-server: 185: an ended process is known for 80 s after its end; the number is that of sessions, too
server/sessions: a session nobody comes back for ends with everything in it
186 ids of file handles are short, unique, and 128 at most
server/file-handles: ids are short, unique, and 128 at most
187 a short read is the end, an exact one is not
server/file-handles: a handle reads where it is asked to, sees the file grow, and outlives its name
188 lengths have limits, and an unknown handle is -32004
server/file-handles: a handle reads where it is asked to, sees the file grow, and outlives its name
189 blocks are written anywhere; an I/O error closes the handle
server/file-handles: a handle writes where it is asked to; an error of the system closes it, a mistake does not
190 a handle may be closed at any time
server/file-handles: a handle reads where it is asked to, sees the file grow, and outlives its name
191 a walk has its order, its limits and its truncation
server/file-handles: a walk goes level by level and by name, and says when there was more
192 fs/watchMissing tells that a path has appeared
not applicable: an optional method that we do not announce
differs: \`fs/watchMissing\`, \`http/request\`
193 http/request, buffered and streamed
not applicable: an optional method that we do not announce
differs: \`fs/watchMissing\`, \`http/request\`
194 environment/status is ready
server/handshake: initialize gives a session and says what the server is
195 events in any order, early and repeated, give the right output
client/calls: notifications that overtake the answer to the start, reversed and repeated, give the right events
client/event-order: events are told in the order of their numbers, each once, whatever order they come in
client/event-order: what comes early waits for what is missing
196 a process ends with closed, not with exited
client/calls: iteration ends at closed and not at exited
197 a request of the server is refused by name
client/calls: a request of the server is refused with its name, and unknown notifications and members are ignored
198 unknown notifications and members are ignored, binary messages read
client/calls: a request of the server is refused with its name, and unknown notifications and members are ignored
../statements/exec-server: 198: a client reads binary messages like text
199 a malformed message counts as a lost connection
connection/endings: a server that says something unreadable loses its client
client/stdio: a server that prints something else loses its client
200 after a cut the session is resumed, and the output complete
client/resume: after a cut the session is resumed, and the output is complete
client/real-server: the real server resumes a session whose connection was cut, and no output is lost
201 a gap or a missing end is asked for after 5 s
client/process-stream: a lost notification is asked for when it stays away, and not before
client/process-stream: a lost end is asked for
202 connecting and the handshake are given up after 10 s each
client/connect: a server that does not accept a connection is given up at the limit, which the error names with the URL
client/connect: a server that does not shake hands is given up at the limit
`;
