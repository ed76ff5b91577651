import DaybookEvents
import DaybookNATS

/// A message of an event stream: a batch of events, or a part of one.
struct EventMessage: Sendable, Equatable {
    var sequence: UInt64
    /// The identity of the store, from the subject.
    var store: String
    /// The number of the part, from 1.
    var part = 1
    /// The number of parts of the batch. They have consecutive sequences.
    var partCount = 1
    var bytes: [UInt8]
}

/// The last message of a store.
struct LastEventMessage: Sendable, Equatable {
    var sequence: UInt64
    /// The end of its batch; nil for a foreign message.
    var end: EventBatchEnd?
}

/// The messages that an event stream has.
struct EventStreamState: Sendable, Equatable {
    /// The time of the stream's creation.
    var creationTime: String
    /// The sequence of the first message, or of the next one if there is none.
    var firstSequence: UInt64
    /// The sequence of the last message that the stream ever had; 0 for none.
    var lastSequence: UInt64
}

/// The stream that carries events. Any answer may be lost, and reads may be old.
protocol EventTransport: Sendable {
    /// The name of the stream.
    var name: String { get }
    /// The maximum length of a part.
    var partSizeBytesMax: Int { get }

    /// Appends the parts of a batch, all or none, if the last message of the store is `last`.
    /// Returns the sequence of the last part, with which the end is stored. An error is no proof
    /// that nothing was stored.
    func append(
        _ parts: [[UInt8]], of store: String, end: EventBatchEnd, after last: UInt64
    ) async throws(NATSError) -> UInt64

    /// The last message of a store; nil if the server that answers knows none.
    func last(of store: String) async throws(NATSError) -> LastEventMessage?

    /// The state of the stream.
    func state() async throws(NATSError) -> EventStreamState

    /// A reader of the messages after a sequence.
    func reader(after sequence: UInt64) async throws(NATSError) -> any EventReader

    /// Removes the messages up to a sequence.
    func purge(through sequence: UInt64) async throws(NATSError)
}

/// Reads the messages of a stream in order, once. After an error another reader continues.
protocol EventReader: Sendable {
    /// The next messages; waits for some time if there are none, and returns none then.
    func next() async throws(NATSError) -> [EventMessage]

    /// Ends the reading.
    func close() async
}
