import Observation

/// Waits until a condition on observable objects is true.
@MainActor
func wait(until isTrue: () -> Bool) async {
    while true {
        let changed = Events<Void>()
        if withObservationTracking(isTrue, onChange: { changed.add(()) }) { return }
        _ = await changed.next()
        // The notification precedes the change.
        await Task.yield()
    }
}
