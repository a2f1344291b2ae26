// Statements 1 to 49: the reference's own tests, of its driver, its sessions, and its client end to end.

export const driverStatements = `
1 limits that differ from the default stand in the open frame, which is request 1
  connection/requests: limits that are set appear in the open frame, which is request 1
2 early notifications wait for their cells, in any order of starts; a cancelled one is never delivered
  connection/delegates: early calls wait for their cells, whatever the order in which these start
3 the session of an open that was given up is shut down when the host commits it, and unknown afterwards
  connection/callers: an open that was given up is closed again when the host opens it
4 a cancelled call gets no late answer; its id used again kills the connection and starts nothing
  connection/delegates: a cancelled call sends no late answer
  statements/driver: 4: the id of a cancelled call used again ends the connection and starts nothing
5 129 large answers on the bulk lane do not disturb other requests
  not applicable: there is no WebSocket bulk lane over stdio; the idea is statement 108
6 call 1,025 gets the limit as its answer, a cancelled call makes room, the connection lives
  connection/delegates: call number 1025 gets the limit as its answer, and a cancelled call makes room
  connection/delegates: call number 4097 gets the limit as its answer, and a cancelled call makes room
7 terminate does not wait for a tool that refuses to end, whose end is of no effect then
  connection/delegates: terminating a cell does not wait for its delegate, which is told once and cannot answer any more
  statements/driver: 7: a terminate, which is answered, does not wait for a stuck tool, whose end is of no effect then
8 nor does a shutdown
  connection/delegates: shutting a session down does not wait for its delegate
  statements/driver: 8: a shutdown, which is answered, does not wait for a stuck tool, whose end is of no effect then
9 an answered id used again kills the connection; the tool ran once
  connection/delegates: an answered call id cannot be used again
10 a delegate that throws is an error of the tool, not the end of the connection
  connection/delegates: what a delegate throws becomes an error answer
11 a call for an unknown cell is answered with an exact text and not started
  connection/delegates: calls for unknown cells and sessions are answered, not started, and their ids are not used up
12 a closed cell counts as unknown
  connection/delegates: calls for unknown cells and sessions are answered, not started, and their ids are not used up
13 a first result of another cell kills the connection and closes the cell once
  connection/violations: a first answer of another cell ends the connection with an exact text for everybody
14 so does an answer to a wait
  connection/violations: a wait answered for another cell ends the connection with an exact text for everybody
15 so does an answer to a terminate, also inside MissingCell
  connection/violations: a terminate answered for another cell ends the connection with an exact text for everybody
  connection/violations: a missing cell that is another one ends the connection with an exact text for everybody
16 a wait of more than five minutes goes out and is answered
  connection/requests: waits longer than five minutes go out as they are
17 a wait that never leaves the queue ends the connection at its limit
  statements/driver: 17: a wait that never leaves the queue ends the connection after 61001 ms
  connection/limits: a wait that is held back is under its limit as well
18 so does a terminate, after 60 s
  statements/driver: 18: a terminate that never leaves the queue ends the connection after 60000 ms
19 the wait behind a cancelled one is sent when that was answered
  connection/callers: the next wait on a cell goes out only when a cancelled one was answered, and in order
20 a cancelled execute that starts all the same is cancelled, then terminated; what follows is accepted
  connection/callers: an execute that was given up while pending is cancelled once, and terminated when it starts anyway
21 a delivered execute that nobody claims is cancelled and terminated
  connection/callers: an execute that was answered but not taken is cancelled and terminated
  note: in TypeScript nobody holds its first result then: execute itself rejects
22 4,097 cells one after the other work, and memory follows the live ones only
  connection/requests: a closed cell id may be used again, and 4,097 cells leave nothing behind
  statements/driver: 22: memory follows the cells that live, not those that have been
23 the loss of the connection closes every live cell once, within a second
  connection/delegates: a lost connection cancels stuck delegates and closes every live cell once, at once
24 and does not wait for a stuck delegate, whose later end has no effect
  statements/driver: 24: the loss of the host does not wait for a stuck tool, whose end is of no effect then
25 the driver's task is killed: everybody is told all the same
  not applicable: our driver is a synchronous object, not a task that could be aborted; its other ends are 23 and 24
26 a shutdown whose caller is gone still ends the session, with no further frame
  connection/delegates: a shutdown that fails after its caller has gone still ends the session
27 nothing starts once the connection was cancelled
  statements/driver: 27: nothing starts once the connection has ended: no call behind the fault, no notification that waited
28 one provider has one host
  supervisor/sessions: ten sessions at once share one host
29 the path in a spawn failure is shown in 512 bytes at most
  process/spawn-failure: a long path is cut at its head
  e2e/spawn: of a path of 1,187 bytes exactly the last 512 are shown, an ellipsis included
30 and is never cut inside a character
  process/display-path: a path is shown in at most 512 bytes, cut before a character: 256 crabs and a name
31 a missing host is reported by create
  supervisor/handshake: a missing program is one rejection with its path
32 a session that is shut down before its first use spawns nothing, and is closed
  supervisor/sessions: a session that is shut down before its first use starts no host
33 limits are offered, not required; refused without the capability; the connection then serves others; two shutdowns
  connection/handshake: the hello offers version 1 and optional capabilities, and an unasked grant is accepted
  connection/requests: limits are refused without the capability, no limits never are
  supervisor/sessions: limits need the capability; without it the host stays usable
  supervisor/sessions: a session runs cells on a host that says who it is
  supervisor/sessions: a shutdown is shared, and refuses every later use
34 a bulk connection that cannot be made fails the provider
  not applicable: went with the WebSocket transport; there is one connection, over stdio
35 limits of sessions on one process are apart
  statements/end-to-end: 35: the limits of one session are not those of another on the same process
36 a session keeps values, forwards to its delegate, controls its cells, which end as 1, 2, 3
  statements/end-to-end: 36: a session keeps values, forwards calls and notifications, and controls its cells
37 after a long wait was dropped the next one answers within 2 s
  statements/end-to-end: 37: a long wait that is given up makes room for the next within two seconds
38 a slow tool that nobody awaits is cancelled when the others have completed
  statements/end-to-end: 38: a slow tool that nobody awaits is cancelled when the others have completed
39 an execute that is too long fails alone; the next cell is number 1
  statements/end-to-end: 39: an execute that is too long fails alone, and the next cell is the first
40 an argument or a result that is too long fails that call only
  statements/end-to-end: 40: an argument or a result of a tool that is too long fails that call only
41 a first result that is too long does not close the host
  statements/end-to-end: 41: a first result that is too long is an error in words, and the host goes on
42 a killed host fails both waits, closes both cells, and comes back as generation 2
  statements/end-to-end: 42: the loss of the host fails both waits, closes both cells, and the next use has another host
  differs: \`wait\` and \`terminate\` on the cell of a lost host
43 without a host the client falls back to direct tools and warns once
  not applicable: of the harness around it: this package has no direct tools to fall back to
44 without a host the tool stays, and every call says why it fails
  statements/handshake: ten that need a missing host at once share one attempt; the eleventh makes its own
  e2e/spawn: a host that does not exist is reported with the text of the system
45 the same where the fallback is switched off
  statements/handshake: whatever cannot be started is one rejection for each caller, and nothing is thrown at them
  note: there is no fallback to switch off, so this is 44 again
46 the feature is off and so is the fallback: the host is attempted
  not applicable: of the harness around it: there is no feature switch
47 after a wait that timed out the next execute has a new host
  statements/life: 47: a host that does not answer a wait is given up, and the next execute gets another
48 the five names are gone from the environment of a real child
  e2e/environment: a host sees five names and LC_* of our environment, and nothing else
  differs: removes five names from the environment
49 also when they were set on purpose
  e2e/environment: --env cannot bring the launch context of Codex back, in whatever case
  process/environment: the launch context of Codex never reaches a host, in no spelling, not even when asked for
`;
