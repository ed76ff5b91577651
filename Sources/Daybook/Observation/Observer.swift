import Synchronization

/// A subscription: it lasts as long as this object does, or until ``unsubscribe()``. Keep it.
public final class Observer: Sendable {
    /// How a subscription begins.
    public struct Flags: OptionSet, Sendable {
        /// The flags as bits.
        public let rawValue: Int

        /// The flags of some bits; those that mean nothing are ignored.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The handler is called once at the beginning.
        public static let sendInitial = Flags(rawValue: 1)
        /// The handler is called at the beginning, and never again: of use with
        /// ``sendInitial`` alone.
        public static let dontSubscribe = Flags(rawValue: 2)
    }

    private struct State {
        var failure: DaybookError?
        /// Whether nobody wants to hear any more.
        var isOver = false
        var end: (@Sendable () -> Void)?

        /// What is done at the end, to be called behind the lock, where it is let go, too.
        mutating func takeEnd() -> (@Sendable () -> Void)? {
            defer { end = nil }
            return end
        }
    }

    private let state = Mutex(State())

    init() {}

    deinit { unsubscribe() }

    /// Why it is told nothing any more: the store was closed when it began, the query makes no
    /// sense, or an object cannot be read; nil where all is well.
    public var error: DaybookError? { state.withLock { $0.failure } }

    /// Whether the handler may still be called.
    var isActive: Bool { state.withLock { !$0.isOver } }

    /// Ends the subscription: from now on the handler is not called any more. A call that has
    /// begun on another thread may still finish. May be called by the handler.
    public func unsubscribe() {
        let end = state.withLock { state in
            state.isOver = true
            return state.takeEnd()
        }
        end?()
    }

    /// What is done at the end: at once where it is over.
    func onEnd(_ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.isOver || state.failure != nil { return true }
            state.end = end
            return false
        }
        if isOver { end() }
    }

    /// Nothing comes any more, save that the handler is told why.
    func fail(_ error: DaybookError) {
        let end = state.withLock { state in
            state.failure = state.failure ?? error
            return state.takeEnd()
        }
        end?()
    }
}

extension DaybookError {
    /// An error as one of the library's, whatever it is that a type's own code throws.
    static func wrapping(_ error: any Error) -> DaybookError {
        if let known = error as? DaybookError { return known }
        return DaybookError(
            .invalidValue,
            "An object cannot be made of what is stored: its type throws \(error). Have its"
                + " conversions accept the value, or put the object anew.", cause: error)
    }
}
