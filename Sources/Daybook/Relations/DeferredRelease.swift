import DaybookBytes

/// Releases objects one after another.
///
/// Without it, a chain of objects that hold each other through relations is released recursively,
/// and a long chain overflows the stack.
package final class DeferredRelease {
    private static let ofThread = ThreadLocal<DeferredRelease>()

    private var waiting: [Any] = []

    private init() {}

    /// Replaces a value with `nothing`, and releases the old value.
    ///
    /// Releases the value before the call returns. If the call is made inside a deinit that another
    /// call on the same thread caused, that outer call releases the value.
    package static func empty<Value>(_ value: inout Value, leaving nothing: Value) {
        if let running = ofThread.value { return running.take(&value, nothing) }
        let release = DeferredRelease()
        release.take(&value, nothing)
        ofThread.value = release
        while !release.waiting.isEmpty { release.dropLast() }
        ofThread.value = nil
    }

    // Both functions must stay separate, so that no other reference to the value remains when they
    // return.

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
