import Synchronization

/// Whether a relation that is a value is as the store has it, and for which object. A put cannot
/// tell the value, so it tells this, which copies of the value share; whoever changes a value gives
/// it a new one.
final class SavedFlag: Sendable {
    private let stored: Mutex<Attachment?>

    init(_ attachment: Attachment? = nil) { stored = Mutex(attachment) }

    /// The links that the value was read from or written to; nil for one that was changed since.
    var attachment: Attachment? { stored.withLock { $0 } }

    /// Notes that a put wrote the value. Returns how to take that back. What is another object's
    /// stays that one's.
    func settle(_ host: GraphHost, _ outcome: GraphOutcome) -> (() -> Void)? {
        let isNoted = stored.withLock { stored in
            if stored != nil { return false }
            stored = host.attachment(after: outcome)
            return true
        }
        return isNoted ? { self.stored.withLock { $0 = nil } } : nil
    }
}
