public import Daybook

/// A subscription. It ends when this object is deallocated, or with ``unsubscribe()``: keep a
/// reference.
public final class Observer: Sendable {
    /// Options of a subscription.
    public struct Flags: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: Int

        /// Creates options from bits. Unknown bits are ignored.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Call the handler once at the beginning.
        public static let sendInitial = Flags(rawValue: 1)
        /// Call the handler at the beginning only. Useful only together with ``sendInitial``.
        public static let dontSubscribe = Flags(rawValue: 2)
    }

    private let subscription: Subscription

    init(_ subscription: Subscription) { self.subscription = subscription }

    /// The error that ended the subscription: the store was closed when it began, the query is
    /// invalid, or an object cannot be read. Nil if there was none.
    public var error: DaybookError? { subscription.error }

    /// Calls `handler` once when the store was closed, after the last call of the subscription's
    /// handler and on the same queue. If that was before, `handler` runs immediately. It does not
    /// run if the subscription ends with an ``error``, or with ``unsubscribe()``.
    public func whenClosed(_ handler: @escaping @Sendable () -> Void) {
        subscription.onFinish(handler)
    }

    /// Ends the subscription. No call of the handler begins afterwards; a call that already runs on
    /// another thread may still finish. The handler itself may call this method.
    public func unsubscribe() { subscription.end() }
}
