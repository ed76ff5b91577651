/// The state of one of the writers.
///
/// The chain of a writer is not part of it: the chain follows from the messages that it has read.
struct ModelWriter: Hashable {
    /// The activity of a writer.
    enum Phase: UInt8 {
        /// It does not run. It may start.
        case stopped
        /// Another frame is at the place of its claim. It reads further and claims again.
        case behind
        /// Its claim is in flight.
        case claiming
        /// It may commit.
        case writing
        /// Its commits are in flight.
        case committing
    }

    /// The knowledge about the frames in flight.
    enum Answer: UInt8 {
        case awaited
        case missing
        case refused
    }

    /// The answer that the caller of a commit got.
    enum Fate: UInt8 {
        case unused
        case pending
        case acknowledged
        case notCommitted
        /// The writer crashed, so there was no answer.
        case unknown
    }

    var phase = Phase.stopped
    var answer = Answer.awaited
    /// The sequence of the last message that the writer has read.
    var known: UInt8 = 0
    /// Distinguishes this start of the writer from all others.
    var identity: UInt8 = 0
    var startCount: UInt8 = 0
    /// The frames in flight, in order.
    var pending: [FrameTable.Identity] = []
    /// The fate of each value.
    var fates: [Fate]
}
