import DaybookBytes

/// Limits the depth of nested releases.
///
/// Without it, a chain of objects that hold each other through relations is released recursively,
/// and a long chain overflows the stack.
package final class DeferredRelease {
    private static let ofThread = ThreadLocal<DeferredRelease>()
    /// The number of nested releases at which the next one waits. Waiting costs an allocation, and
    /// few graphs are deeper.
    private static let depthMax = 16

    private var depth = 0
    private var waiting: [Any] = []

    private init() {}

    /// Releases the objects of a relation in its deinit.
    ///
    /// Calls `release` at once, unless the call is nested too deeply in others of the same thread.
    /// Then it keeps `value`, and the outermost call releases it before that call returns.
    ///
    /// - Parameters:
    ///   - release: Releases the objects.
    ///   - value: Contains the objects.
    package static func release(now release: () -> Void, later value: @autoclosure () -> Any) {
        let running = ofThread.value ?? begin()
        guard running.depth < depthMax else { return running.waiting.append(value()) }
        running.depth += 1
        release()
        if running.depth == 1, !running.waiting.isEmpty { running.releaseWaiting() }
        running.depth -= 1
    }

    @inline(never)
    private static func begin() -> DeferredRelease {
        let new = DeferredRelease()
        ofThread.value = new
        return new
    }

    @inline(never)
    private func releaseWaiting() {
        while !waiting.isEmpty { releaseLast() }
    }

    // A separate function, so that no other reference to the value remains when it returns.
    @inline(never)
    private func releaseLast() {
        let last = waiting.removeLast()
        withExtendedLifetime(last) {}
    }
}
