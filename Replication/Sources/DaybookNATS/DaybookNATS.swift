// DaybookNATS is a client for the part of NATS and JetStream that the replication of a log needs:
// publish, request, subscribe, compare-and-append to a stream, and reads of a stream. It must not
// depend on a module of Daybook: a payload is bytes, and the caller interprets them.
//
// Invariants:
// - The client never sends a message twice. A failure names whether the outcome is known.
// - Memory is bounded: each length that a server sends has a limit, and so has each buffer of
//   messages.
// - No input traps. Malformed bytes are a typed error that closes the connection.
// - Every wait has a time limit or ends with the connection, and ends when its task is cancelled.
// - A call that ended leaves nothing in the connection.
