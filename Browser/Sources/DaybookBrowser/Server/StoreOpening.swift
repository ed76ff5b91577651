import Daybook
import Foundation
import Synchronization

/// Opens the store at the first request, and again after a failure, so that the page shows the
/// reason of a failure and recovers from it: a store that another process has locked, for example.
final class StoreOpening: Sendable {
    private struct State {
        /// The running or successful opening, which all requests wait for.
        var opening: Task<BrowsedStore, any Error>?
        var isClosed = false
    }

    private let path: String
    private let allowsWrites: Bool
    private let state = Mutex(State())

    init(path: String, allowsWrites: Bool) {
        self.path = path
        self.allowsWrites = allowsWrites
    }

    /// The store. Throws the error of the opening, such as `.locked`, `.corruption` or
    /// `.formatTooNew`.
    func store() async throws -> BrowsedStore {
        let opening = try state.withLock { state in
            guard !state.isClosed else {
                throw RequestProblem.refused(.serviceUnavailable, "The server is ending.")
            }
            if let opening = state.opening { return opening }
            let opening = Task { try await BlockingWork.run { try self.open() } }
            state.opening = opening
            return opening
        }
        do {
            return try await opening.value
        } catch {
            // The next request tries again.
            state.withLock { state in
                if state.opening == opening { state.opening = nil }
            }
            throw error
        }
    }

    /// Whether an opening runs or has succeeded.
    var isOpening: Bool { state.withLock { $0.opening != nil } }

    private func open() throws -> BrowsedStore {
        var options = StoreOptions()
        options.isReadOnly = true
        var store = try Store(path: path, entities: [], options: options)
        if allowsWrites {
            // The read-only opening has shown that there is a store, so that this creates none.
            try store.close()
            options.isReadOnly = false
            store = try Store(path: path, entities: [], options: options)
        }
        return BrowsedStore(store: store, path: path, allowsWrites: allowsWrites)
    }

    /// Closes the store, if it is open, or as soon as it is.
    func close() async throws {
        let opening = state.withLock { state in
            state.isClosed = true
            return state.opening
        }
        try await (try? opening?.value)?.store.close()
    }
}
