import Synchronization

/// The texts of the commits that returned, of the commits whose outcome is unknown, and of the
/// commits that another writer prevented.
final class Ledger: Sendable {
    private struct State {
        var acknowledged: [String] = []
        var unknown: [String] = []
        var refused: [String] = []
    }

    private let state = Mutex(State())

    var acknowledged: [String] { state.withLock { $0.acknowledged } }
    var unknown: [String] { state.withLock { $0.unknown } }

    var refused: [String] { state.withLock { $0.refused } }

    func acknowledge(_ text: String) { state.withLock { $0.acknowledged.append(text) } }
    func doubt(_ text: String) { state.withLock { $0.unknown.append(text) } }
    func refuse(_ text: String) { state.withLock { $0.refused.append(text) } }
}
