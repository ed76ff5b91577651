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

    private let endsWith = Mutex<(@Sendable () -> Void)?>(nil)
    private let failure = Mutex<DaybookError?>(nil)
    private let isOver = Atomic(false)

    init() {}

    deinit { unsubscribe() }

    /// Why it is told nothing: the store was closed when it began, or the query makes no sense;
    /// nil where all is well.
    public var error: DaybookError? { failure.withLock { $0 } }

    /// Whether it goes on.
    var isActive: Bool { !isOver.load(ordering: .sequentiallyConsistent) }

    /// Ends the subscription: from now on the handler is not called any more. A call that has
    /// begun on another thread may still finish.
    public func unsubscribe() {
        isOver.store(true, ordering: .sequentiallyConsistent)
        let end = endsWith.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    /// What is done at the end.
    func onEnd(_ end: @escaping @Sendable () -> Void) {
        endsWith.withLock { $0 = end }
        if !isActive { unsubscribe() }
    }

    func fail(_ error: any Error) {
        failure.withLock {
            $0 = error as? DaybookError ?? DaybookError(.inputOutput, "\(error)")
        }
        unsubscribe()
    }
}
