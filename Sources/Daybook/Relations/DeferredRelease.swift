import DaybookBytes

/// Lets objects go one after another. A chain of objects that hold each other by relations would
/// else be let go from within each other, which ends the stack where the chain is long.
final class DeferredRelease {
    private static let ofThread = ThreadLocal<DeferredRelease>()

    private var waiting: [Any] = []

    private init() {}

    /// Puts `nothing` in the place of a value, and lets that go: now, or when the one is gone
    /// within whose end this is called.
    static func empty<Value>(_ value: inout Value, leaving nothing: Value) {
        if let running = ofThread.value { return running.take(&value, nothing) }
        let release = DeferredRelease()
        release.take(&value, nothing)
        ofThread.value = release
        while !release.waiting.isEmpty { release.dropLast() }
        ofThread.value = nil
    }

    // Both of their own, so that nothing else holds what is taken once they return.

    @inline(never)
    private func take<Value>(_ value: inout Value, _ nothing: Value) {
        waiting.append(exchange(&value, with: nothing))
    }

    @inline(never)
    private func dropLast() {
        let last = waiting.removeLast()
        withExtendedLifetime(last) {}
    }
}
