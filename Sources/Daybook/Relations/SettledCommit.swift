import DaybookEngine

/// The commit in which a put last wrote the links of a relation.
///
/// A put records the links that it writes before its commit is visible. Until then, and in a read
/// of an older version, a read does not see these links.
struct SettledCommit: Equatable {
    /// The sequence of the commit; 0 if no put wrote the links.
    private var sequence: UInt64 = 0

    /// Records a put in the running transaction. Without a transaction, the commit is visible
    /// already.
    mutating func note(_ transaction: WriteTransaction?, of engine: Engine) {
        if transaction != nil { sequence = engine.nextSequence }
    }

    /// Whether a read on this thread does not see the commit. Such a read must not replace the
    /// links that the put wrote.
    func isAhead(of attachment: Attachment) -> Bool {
        sequence > 0 && attachment.isCurrent && !attachment.types.engine.readsInclude(sequence)
    }
}
