import Daybook
import Foundation
import Synchronization

/// Opens the store at the first request, and again after a failure, so that the page shows the
/// reason of a failure and recovers from it: a store that another process has locked, for example.
final class StoreOpening: Sendable {
    private struct State {
        var opened: OpenedStore?
        var isClosed = false
    }

    /// An open store, with its verification.
    struct OpenedStore {
        var browsed: BrowsedStore
        var verification: Verification
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
    func store() async throws -> OpenedStore {
        if let opened = state.withLock({ $0.opened }) { return opened }
        return try await BlockingWork.run { try self.open() }
    }

    private func open() throws -> OpenedStore {
        try state.withLock { state in
            if let opened = state.opened { return opened }
            guard !state.isClosed else {
                throw RequestProblem.refused(.serviceUnavailable, "The server is ending.")
            }
            var options = StoreOptions()
            options.isReadOnly = !allowsWrites
            let store = try Store(path: path, entities: [], options: options)
            let opened = OpenedStore(
                browsed: BrowsedStore(store: store, path: path, allowsWrites: allowsWrites),
                verification: Verification(store))
            state.opened = opened
            return opened
        }
    }

    /// Closes the store, if it is open.
    func close() throws {
        let opened = state.withLock { state in
            state.isClosed = true
            return state.opened
        }
        opened?.verification.cancel()
        try opened?.browsed.store.close()
    }
}
