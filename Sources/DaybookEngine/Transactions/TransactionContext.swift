import DaybookBytes

/// Which transactions the running thread is in, innermost first.
final class TransactionContext {
    private static let current = ThreadLocal<TransactionContext>()

    /// Nil for a barrier, the innermost context while no store may be used.
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

    /// This thread's transaction of a store. Cost: some 5 ns where there is none. Throws
    /// `.insideConversion` where no store may be used.
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
    /// writer lock; also where it is in a read transaction inside of that.
    static func isWriting(_ engine: Engine) -> Bool {
        var context = current.value
        while let found = context {
            if found.engine == ObjectIdentifier(engine), case .write? = found.role { return true }
            context = found.outer
        }
        return false
    }

    /// Runs `body`, in which the thread may use no store.
    static func withoutStores<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = current.value
        current.value = TransactionContext()
        defer { current.value = outer }
        return try body()
    }

    private static var insideConversion: DaybookError {
        DaybookError(
            .insideConversion,
            "A converter used a store. It runs in the middle of a read or a write: convert the"
                + " value from what it is given alone.")
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
    /// Runs a user's conversion of values: to use a store in it is `.insideConversion`.
    package static func withoutStores<Result>(_ body: () throws -> Result) rethrows -> Result {
        try TransactionContext.withoutStores(body)
    }
}
