import Synchronization

/// Whether a relation value equals the stored links, and for which object.
///
/// A put cannot change the caller's value, so it sets this flag, which all copies of the value
/// share. Code that changes a value must give the value a new flag.
final class SavedFlag: Sendable {
    private let stored: Mutex<Attachment?>

    init(_ attachment: Attachment? = nil) { stored = Mutex(attachment) }

    /// The links that the value was read from or written to; nil if the value changed since then.
    var attachment: Attachment? { stored.withLock { $0 } }

    /// Records that a put wrote the value.
    ///
    /// Returns a closure that undoes this if the transaction is rolled back; nil if the flag is
    /// already set. A flag that is set for another object does not change.
    func settle(_ host: GraphHost, _ outcome: GraphOutcome) -> (() -> Void)? {
        let isNoted = stored.withLock { stored in
            if stored != nil { return false }
            stored = host.attachment(after: outcome)
            return true
        }
        return isNoted ? { self.stored.withLock { $0 = nil } } : nil
    }
}
