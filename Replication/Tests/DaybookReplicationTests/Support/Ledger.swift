import Synchronization

/// The texts of the commits that returned, and of those whose outcome is unknown.
final class Ledger: Sendable {
    private struct State {
        var acknowledged: [String] = []
        var unknown: [String] = []
    }

    private let state = Mutex(State())

    var acknowledged: [String] { state.withLock { $0.acknowledged } }
    var unknown: [String] { state.withLock { $0.unknown } }

    func acknowledge(_ text: String) { state.withLock { $0.acknowledged.append(text) } }
    func doubt(_ text: String) { state.withLock { $0.unknown.append(text) } }
}
