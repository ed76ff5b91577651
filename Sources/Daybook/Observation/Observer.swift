import Synchronization

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

    private struct State {
        var failure: DaybookError?
        /// Whether the subscription has ended.
        var isOver = false
        var end: (@Sendable () -> Void)?

        /// Returns the cleanup, which must be called and released outside the lock.
        mutating func takeEnd() -> (@Sendable () -> Void)? {
            defer { end = nil }
            return end
        }
    }

    private let state = Mutex(State())

    init() {}

    deinit { unsubscribe() }

    /// The error that ended the subscription: the store was closed when it began, the query is
    /// invalid, or an object cannot be read. Nil if there was none.
    public var error: DaybookError? { state.withLock { $0.failure } }

    /// Whether the handler may still be called.
    var isActive: Bool { state.withLock { !$0.isOver } }

    /// Ends the subscription. No call of the handler begins afterwards; a call that already runs on
    /// another thread may still finish. The handler itself may call this method.
    public func unsubscribe() {
        let end = state.withLock { state in
            state.isOver = true
            return state.takeEnd()
        }
        end?()
    }

    /// Sets the cleanup that runs at the end of the subscription; runs it at once if it has ended.
    func onEnd(_ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.isOver || state.failure != nil { return true }
            state.end = end
            return false
        }
        if isOver { end() }
    }

    /// Ends the subscription with an error. The handler may still be called with that error.
    func fail(_ error: DaybookError) {
        let end = state.withLock { state in
            state.failure = state.failure ?? error
            return state.takeEnd()
        }
        end?()
    }
}

extension DaybookError {
    /// Returns the error as a `DaybookError`. An error of another type, thrown by a type's own
    /// code, becomes `.invalidValue` with that error as its cause.
    static func wrapping(_ error: any Error) -> DaybookError {
        if let known = error as? DaybookError { return known }
        return DaybookError(
            .invalidValue,
            "An object cannot be made of what is stored: its type throws \(error). Have its"
                + " conversions accept the value, or put the object anew.", cause: error)
    }
}
