import DaybookBytes

/// The transactions of the running thread, innermost first.
final class TransactionContext {
    private static let current = ThreadLocal<TransactionContext>()

    /// Nil for a barrier: as long as it is the innermost context, no store may be used.
    private let engine: ObjectIdentifier?
    private let role: ReadScope?
    private let outer: TransactionContext?

    private init() {
        engine = nil
        role = nil
        outer = nil
    }

    private init(_ engine: Engine, _ role: ReadScope, outer: TransactionContext?) {
        self.engine = ObjectIdentifier(engine)
        self.role = role
        self.outer = outer
    }

    /// This thread's transaction of a store. Costs about 5 ns without a transaction. Throws
    /// `.insideConversion` if no store may be used.
    static func role(of engine: Engine) throws(DaybookError) -> ReadScope? {
        var context = current.value
        while let found = context {
            guard let owner = found.engine else { throw insideConversion }
            if owner == ObjectIdentifier(engine) { return found.role }
            context = found.outer
        }
        return nil
    }

    /// Whether the running thread is in a write transaction of a store, and so holds the store's
    /// writer lock. Also true in a read transaction inside the write transaction.
    static func isWriting(_ engine: Engine) -> Bool {
        var context = current.value
        while let found = context {
            if found.engine == ObjectIdentifier(engine), case .write? = found.role { return true }
            context = found.outer
        }
        return false
    }

    /// Runs `body`, in which the thread must not use any store.
    static func withoutStores<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = current.value
        current.value = TransactionContext()
        defer { current.value = outer }
        return try body()
    }

    private static var insideConversion: DaybookError {
        DaybookError(
            .insideConversion,
            "A converter used a store. Converters run during reads and writes, so they must use"
                + " only the value that they receive.")
    }

    /// Runs `body` inside a transaction.
    static func run<Result>(
        _ engine: Engine, _ role: ReadScope, _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = current.value
        current.value = TransactionContext(engine, role, outer: outer)
        defer { current.value = outer }
        return try body()
    }
}

extension Engine {
    /// Runs a user's conversion of values. Using a store in it throws `.insideConversion`.
    package static func withoutStores<Result>(_ body: () throws -> Result) rethrows -> Result {
        try TransactionContext.withoutStores(body)
    }
}
