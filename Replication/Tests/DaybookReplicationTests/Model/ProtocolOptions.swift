/// The protocol that a model has, and the bounds that make its states finite.
struct ProtocolOptions {
    /// The requests for several commits.
    enum Sending {
        /// Each commit waits for the previous one.
        case single
        /// One request stores all frames or none.
        case batch
        /// Each frame has its own request. All are in flight at once.
        case pipeline
    }

    var sending = Sending.single
    /// Whether the stream may recognize a repeated frame. It may also have forgotten it.
    var deduplicates = true
    /// Whether writers may crash.
    var crashes = true
    /// Whether a writer commits again what a crash left without an answer, if it is not in the log.
    var retriesAfterCrash = false
    var mutations: [ProtocolMutation] = []
    /// The number of claims of all writers.
    var claimMax = 2
    /// The number of commits of each writer.
    var commitMax = 2
    /// The number of messages that are no frames.
    var foreignMax = 0
    /// The length of the stream. Only a stream without comparison reaches it.
    var lengthMax = 8
    /// The number of undelivered requests. Only a stream without comparison reaches it.
    var requestMax = 3
}
