import Daybook
import DaybookArchive
import Synchronization

/// A storage that fails at one of its calls, before or after the call took effect.
final class FaultyStorage: ObjectStorage {
    enum Fault: CaseIterable {
        /// The call has no effect.
        case lostRequest
        /// The call has its effect, and throws.
        case lostAnswer
        /// The call has its effect, and a retry of it finds the object.
        case repeatedRequest
    }

    private let storage: DirectoryStorage
    private let state = Mutex<(count: Int, fault: Fault?, at: Int)>((0, nil, 0))

    var name: String { storage.name }

    init(_ storage: DirectoryStorage) { self.storage = storage }

    /// The number of calls.
    var callCount: Int { state.withLock { $0.count } }

    /// Makes the call with a number after this one fail, counted from 0.
    func fail(_ fault: Fault, atCall number: Int) {
        state.withLock { $0 = (0, fault, number) }
    }

    private func call<Value>(
        _ body: () async throws -> Value, repeated: (Value) -> Value = { $0 }
    ) async throws -> Value {
        let fault = state.withLock { state in
            defer { state.count += 1 }
            return state.count == state.at ? state.fault : nil
        }
        let error = DaybookError(.storageUnavailable, "The storage fails for a test.")
        switch fault {
        case nil: return try await body()
        case .lostRequest?: throw error
        case .lostAnswer?:
            _ = try await body()
            throw error
        case .repeatedRequest?: return repeated(try await body())
        }
    }

    func read(_ key: String, _ range: Range<Int>?) async throws -> [UInt8]? {
        try await call { try await storage.read(key, range) }
    }

    func create(_ key: String, _ bytes: [UInt8]) async throws -> Bool {
        try await call({ try await storage.create(key, bytes) }, repeated: { _ in false })
    }

    func create(_ key: String, fromFile path: String) async throws -> Bool {
        try await call(
            { try await storage.create(key, fromFile: path) }, repeated: { _ in false })
    }

    func list(prefix: String, after key: String?, countMax: Int) async throws -> [ObjectEntry] {
        try await call { try await storage.list(prefix: prefix, after: key, countMax: countMax) }
    }

    func remove(_ key: String) async throws {
        try await call { try await storage.remove(key) }
    }
}
