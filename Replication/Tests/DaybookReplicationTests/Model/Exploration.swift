/// The result of an exploration.
struct Exploration {
    var stateCount = 0
    var violation: ProtocolViolation?
    /// A shortest list of actions that leads to the violation.
    var counterexample: [String] = []
    /// For each writer, the number of states in which all its commits are acknowledged.
    var acknowledgedCounts = [Int](repeating: 0, count: ProtocolModel.writerCount)
    /// The number of states in which all commits of all writers are acknowledged.
    var completeCount = 0
    /// The number of states in which a commit failed, because another writer took over.
    var failedCount = 0
    /// The length of the longest stream.
    var lengthMax = 0
}
