/// A change of the protocol that the exploration must find, or that another rule makes harmless.
enum ProtocolMutation {
    /// Readers have no chain rule.
    case everyFrameCounts
    /// Readers compare only the predecessor of a commit, not its term and its writer.
    case everyWriterCommits
    /// A claim has the term of the previous claim.
    case claimKeepsTerm
    /// The stream stores a frame whatever its last sequence is.
    case appendWithoutComparison
    /// A writer believes a refusal and does not read.
    case refusalIsProof
    /// A writer believes a read that finds nothing after a refusal.
    case emptyReadIsProof
    /// A writer does not compare the sequence of an answer with the expected one.
    case everySequenceIsExpected
    /// A repeated frame has another identity and the same predecessor.
    case repeatedFrameIsNew
    /// A repeated frame follows the last frame of the stream.
    case repeatedFrameMoves
    /// A writer has the same identity after a crash.
    case identityOutlivesCrash
    /// A writer skips a commit at the place of its claim and sends the same claim again.
    case onlyClaimsSupersede
    /// A writer expects the same last sequence after it has skipped a message.
    case skippedMessageStays
    /// A commit that failed stays in the local log of its writer, which commits it again later.
    case failedCommitStays
    /// A writer decides what to commit again before its claim is in the log.
    case retryPrecedesClaim
}
