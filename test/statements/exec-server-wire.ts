// Statements 1 to 63: handshake, envelope, transport.

export const wireStatements = `
1 initialize answers with a session id, which is a uuid of version 4
server/handshake: initialize gives a session and says what the server is
2 and with what environment/info answers
server/handshake: initialize gives a session and says what the server is
3 and with the version of the protocol
server/handshake: initialize gives a session and says what the server is
differs: \`initialize\` also says
4 a client's name may be empty, and unknown members are ignored
server/handshake: initialize gives a session and says what the server is
wire/params: initialize needs the name of a client, which may be empty
5 without good params it is refused, by the name of what is missing
server/handshake: a failed initialize may be followed by a good one, a good one by none
wire/params: initialize needs the name of a client, which may be empty
6 after a failed initialize a good one is taken
server/handshake: a failed initialize may be followed by a good one, a good one by none
7 a second good one is refused, and the connection lives
server/handshake: a failed initialize may be followed by a good one, a good one by none
8 no process method before initialize
server/handshake: everything else waits for both halves of the handshake
9 no file method before initialize
../statements/exec-server: 9: a file method before initialize is refused with its own words
10 no process method between initialize and initialized
server/sessions: a resumed connection gets events before it has said initialized, and answers to nothing else
server/handshake: everything else waits for both halves of the handshake
11 before the handshake bad params are told first
server/handshake: everything else waits for both halves of the handshake
12 an unknown method too
server/handshake: everything else waits for both halves of the handshake
13 initialized takes any params
server/handshake: the handshake may be sent in one go with the first request, and initialized twice with any params
14 initialized twice does no harm
server/handshake: the handshake may be sent in one go with the first request, and initialized twice with any params
15 initialized before initialize closes the connection without a word
server/handshake: a notification out of place ends the connection, and nothing behind it is answered
16 initialized with an id is an unknown method, and opens nothing
server/handshake: everything else waits for both halves of the handshake
17 initialize without an id closes the connection
server/handshake: a notification out of place ends the connection, and nothing behind it is answered
18 so does any other notification, and what stands behind it is not answered
connection/requests: a notification that is not allowed closes the connection, and what stands behind it is not answered
server/handshake: a notification out of place ends the connection, and nothing behind it is answered
19 the handshake and a request may come in one go
server/handshake: the handshake may be sent in one go with the first request, and initialized twice with any params
20 with a token, only the right one opens, also after a wrong one
server/handshake: with a token, a client may try three times
21 garbage is answered with -32600 and id -1, and a prefix for each transport
hostile: over stdio, garbage is answered, line by line, and the end is an orderly one
connection/websocket-messages: a malformed message is answered with the address of its sender, and survived
connection/requests: malformed messages are answered with id -1, one by one, and survived
22 also before initialize
../statements/exec-server: 22, 27: over stdio a message on several lines is malformed line by line, also before initialize
23 so is everything else that is no message
wire/parse-json: what is not JSON is refused with the complaint and the place that the reference gives
wire/rpc-message: what is no message is refused in the words of the reference
connection/requests: malformed messages are answered with id -1, one by one, and survived
24 blank lines are ignored
connection/lines: lines are the same, wherever the stream is cut
25 an empty WebSocket message is malformed
connection/websocket-messages: a malformed message is answered with the address of its sender, and survived
26 lines may end with CR and LF
connection/lines: lines are the same, wherever the stream is cut
../statements/exec-server: 22, 27: over stdio a message on several lines is malformed line by line, also before initialize
27 a message on several lines is malformed over stdio, and fine over WebSocket
../statements/exec-server: 22, 27: over stdio a message on several lines is malformed line by line, also before initialize
connection/websocket-messages: text and binary messages are read, and answers are text
28 any jsonrpc and unknown members are ignored
wire/rpc-message: \`jsonrpc\` of any value and unknown members are ignored
29 ids come back with their type
connection/requests: a request is answered under its own id, whatever that is
wire/rpc-message: an id is any string or any integer of 64 bits
30 and with all their digits
connection/requests: a request is answered under its own id, whatever that is
wire/rpc-message: an id is any string or any integer of 64 bits
31 what is no string and no integer of 64 bits is no id
wire/rpc-message: anything else as id is malformed
32 a member twice is malformed
wire/parse-json: a member may not come twice at any depth, however it is spelled
wire/parse-json: what is not JSON is refused with the complaint and the place that the reference gives
33 a method must be a string; an empty one is unknown
wire/rpc-message: what is no message is refused in the words of the reference
../statements/exec-server: 33: an empty method is an unknown one
34 an unknown method is refused in the words of the reference
server/handshake: everything else waits for both halves of the handshake
../statements/exec-server: 33: an empty method is an unknown one
35 a batch is malformed as a whole, and nothing in it runs
connection/requests: malformed messages are answered with id -1, one by one, and survived
wire/rpc-message: what is no message is refused in the words of the reference
36 an answer that nobody asked for closes the connection
connection/requests: an answer that nobody asked for closes the connection of a server
server/handshake: a notification out of place ends the connection, and nothing behind it is answered
37 126 arrays in the params are read, 127 are malformed
wire/parse-json: 126 arrays in the params are read, and 127 are not
38 262,140 values are read, 262,150 are malformed
wire/parse-json: 262,140 values in the params are read, and 262,150 are not
39 two requests with one id are both answered
connection/requests: two requests with one id are both answered
40 answers have no jsonrpc, and data only where it is stated
connection/requests: an answer with an error has data only when there is some, and no jsonrpc member
41 a server of WebSockets prints one line, with its real port
server/command: a server of WebSockets prints its address and ends with 0 when it is told to
connection/websocket-http: the URL has the real port, and an address that can not be had is refused by name
42 by default it listens on a free port of 127.0.0.1
server/command: a server of WebSockets prints its address and ends with 0 when it is told to
43 names, paths and missing ports are refused with exit code 1
server/command: an address is a literal one with a port, or stdio
server/command: mistakes end with 2, refusals with 1, help with 0
44 so are other schemes
server/command: an address is a literal one with a port, or stdio
server/command: mistakes end with 2, refusals with 1, help with 0
45 readyz is 200 for everybody, other methods 405, other paths 404
connection/websocket-http: requests without upgrade are answered as the reference does
connection/websocket-auth: a bearer token from a file opens the door, and nothing else does
46 without an upgrade 400, an upgrade elsewhere 404
connection/websocket-http: requests without upgrade are answered as the reference does
connection/websocket-http: an upgrade is refused by path, version and key
47 whatever has an Origin is 403
connection/websocket-http: whatever carries an Origin is refused, also a look at readiness
48 binary messages are read, answers are text
connection/websocket-messages: text and binary messages are read, and answers are text
49 fragments are put together
connection/websocket-messages: a message in fragments is one message, also when a character is cut
50 a ping is answered with its payload, a pong ignored
connection/websocket-messages: a ping is answered with its payload, and a pong is ignored
51 the server pings every 30 s, and a client without pongs is still there after 75 s
connection/websocket-messages: the server pings, and drops a peer whose pongs stay away twice
open: only with short intervals; by these a client without pongs goes at the third ping, after 90 s
52 a frame of 16 MiB is taken, and not one byte more
connection/websocket-messages: a frame of 16 MiB is taken, and one byte more ends the connection
53 a message of 64 MiB is taken, and not one byte more
connection/websocket-messages: a message of 64 MiB in fragments is taken, and one byte more ends the connection
54 a line of 64 MiB is taken, one byte more ends the server with 0
connection/lines: 64 MiB without a newline cost no more than that, and the next byte is too much
connection/lines: a line of the limit is taken, and one byte more ends the stream with its reason
hostile: over stdio, a line of 70 MB ends the server, and what it runs
55 a file of 20 MiB comes back in one message
server/files: files are read whole, also those that say they are empty
connection/websocket-messages: a large answer arrives as one text message, in frames that the reference takes
56 over stdio the end of input is exit code 0
server/command: everything that was sent before the end of input is answered, on a stdout with nothing else, and the code is 0
57 what came before is answered first
server/command: everything that was sent before the end of input is answered, on a stdout with nothing else, and the code is 0
connection/endings: everything that came before the end of input is answered, in 1,000 requests and with one place
differs: what came before the end of input
58 stdout carries messages and nothing else
server/command: everything that was sent before the end of input is answered, on a stdout with nothing else, and the code is 0
59 fifty clients have fifty sessions
../statements/exec-server: 59: fifty clients at once get fifty sessions
60 a capability token opens, everything else is 401 in exact words
connection/websocket-auth: a bearer token from a file opens the door, and nothing else does
connection/websocket-auth: a bearer token known by its digest opens the door as well
61 its scheme may be written in any case; the query is not looked at
connection/websocket-auth: a bearer token from a file opens the door, and nothing else does
connection/websocket-auth: a token in the query is not looked at
62 a JWT must be HS256 and have an exp, with 30 s of skew
connection/websocket-auth: a signed token is checked for algorithm, signature and time
connection/websocket-auth: issuer and audience are checked where they are asked for, and the skew can be set
63 authentication does not go with stdio, which is exit code 1
server/command: options that contradict each other are refused in the words of the reference
../statements/exec-server: 63: authentication of WebSockets over stdio is refused with exit code 1
`;
