import DaybookBytes

/// Lets objects go one after another. A chain of objects that hold each other by relations would
/// else be let go from within each other, which ends the stack where the chain is long.
final class DeferredRelease {
    private static let ofThread = ThreadLocal<DeferredRelease>()

    private var waiting: [Any] = []

    private init() {}

    /// Lets an object go: now, or when the one is gone within whose end this is called.
    static func drop<Object>(_ object: consuming Object) {
        if let running = ofThread.value { return running.waiting.append(object) }
        let release = DeferredRelease()
        release.waiting.append(object)
        ofThread.value = release
        while !release.waiting.isEmpty { release.dropLast() }
        ofThread.value = nil
    }

    // Of its own, so that what is taken off ends here, and not in the midst of changing the list.
    @inline(never)
    private func dropLast() {
        let last = waiting.removeLast()
        withExtendedLifetime(last) {}
    }
}
