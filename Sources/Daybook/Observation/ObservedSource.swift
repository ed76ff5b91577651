import DaybookBytes
import DaybookEngine
import DaybookQuery
import Synchronization

/// The steps of an iterator over a computed value.
struct ValueSteps<Value>: ChangeSteps {
    private let values: ObservedValues<Value>
    private var source: ObservedSource<Value>?
    /// The last value, if it is compared with the next one.
    private var last: Value?

    init(_ values: ObservedValues<Value>) { self.values = values }

    nonisolated(nonsending) mutating func begin(
        _ wake: @escaping @Sendable () -> Void
    ) async throws -> Value {
        let source = ObservedSource(values)
        let first = try await values.types.engine.readElsewhere { try source.begin(wake) }.value
        self.source = source
        if values.isSame != nil { last = first }
        return first
    }

    nonisolated(nonsending) mutating func advance() async throws -> Value? {
        guard let source, let value = try await next(source) else { return nil }
        guard let isSame = values.isSame else { return value }
        // A commit meanwhile wakes the iterator again.
        if let last, isSame(last, value) { return nil }
        last = value
        return value
    }

    private nonisolated(nonsending) func next(_ source: ObservedSource<Value>) async throws
        -> Value?
    {
        do {
            guard try source.isDue() else { return nil }
            return try await values.types.engine.readElsewhere { try source.advance() }.value
        } catch DaybookError.Code.closed {
            // The source has computed the last value before the close.
            guard let last = source.takeLast() else { throw StoreTypes.closed }
            return last.value
        }
    }

    mutating func end() {
        source?.end()
        (source, last) = (nil, nil)
    }
}

/// Computes a value from the store when a commit may have changed it.
private final class ObservedSource<Value>: Sendable {
    /// The computed value, and the version from which it was computed.
    private struct Computed: Sendable {
        let value: MovedResult<Value>
        let sequence: UInt64
    }

    private struct State {
        var commits: ObservedCommits?
        /// The version of the last value.
        var sequence: UInt64 = 0
        /// The value that ``ObservedSource/finish()`` computed.
        var last: Computed?
    }

    private let values: ObservedValues<Value>
    private let state = Mutex(State())

    init(_ values: ObservedValues<Value>) { self.values = values }

    /// Registers for commits, and returns the first value.
    func begin(_ wake: @escaping @Sendable () -> Void) throws -> MovedResult<Value> {
        let types = values.types
        let all = values.includesUnsynced ? types.unsyncedQueries : types.liveQueries
        guard let queries = all else { throw StoreTypes.closed }
        var numbers: Set<UInt32> = []
        for entity in values.entities { numbers.insert(try types.binding(of: entity).entity) }
        let commits = try ObservedCommits(
            of: numbers.isEmpty ? nil : numbers, queries,
            finish: { [weak self] in self?.finish() }, wake)
        state.withLock { $0.commits = commits }
        return try advance()
    }

    /// Whether a commit may have changed the value. Throws `.closed` at the end of the store.
    func isDue() throws -> Bool {
        let (commits, sequence) = state.withLock { ($0.commits, $0.sequence) }
        return try commits?.isDue(after: sequence) ?? false
    }

    /// Computes the value in one read transaction.
    func advance() throws -> MovedResult<Value> {
        let computed = try compute()
        state.withLock { $0.sequence = computed.sequence }
        return computed.value
    }

    /// Computes the last value before the store closes, if a commit may have changed it.
    private func finish() {
        guard (try? isDue()) ?? false, let computed = try? compute() else { return }
        state.withLock { state in
            // The iterator has a value of this version if it was computing one.
            guard computed.sequence > state.sequence else { return }
            (state.last, state.sequence) = (computed, computed.sequence)
        }
    }

    /// Returns the value that ``finish()`` computed, once.
    func takeLast() -> MovedResult<Value>? {
        state.withLock { state in
            defer { state.last = nil }
            return state.last?.value
        }
    }

    private func compute() throws -> Computed {
        let compute = values.compute
        return try values.types.engine.read { view in
            Computed(value: MovedResult(value: try compute()), sequence: try view.sequence)
        }
    }

    /// Unregisters from the store.
    func end() {
        let commits = state.withLock { state in
            defer { state.commits = nil }
            return state.commits
        }
        commits?.end()
    }
}
