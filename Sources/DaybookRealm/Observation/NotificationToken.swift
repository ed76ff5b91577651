public import Daybook

/// Realm's name for a subscription. It ends when this object is deallocated, or with
/// ``invalidate()``: keep a reference.
public final class NotificationToken: Sendable {
    private let subscription: Subscription

    init(_ subscription: Subscription) { self.subscription = subscription }

    /// The error that ended the subscription: the store was closed when it began, the query is
    /// invalid, or an object cannot be read. Nil if there was none.
    public var error: DaybookError? { subscription.error }

    /// Ends the subscription. No call of the block begins afterwards; a call that already runs on
    /// another thread may still finish. The block itself may call this method.
    public func invalidate() { subscription.end() }
}
