package import DaybookEngine
import Foundation
import Synchronization

/// Keeps the events of a store.
package final class EventRecorder: Sendable {
    private let kept = Mutex<[StoreEvent]>([])

    package init() {}

    /// The events so far, in order.
    package var events: [StoreEvent] { kept.withLock { $0 } }
    /// The names of the events so far.
    package var names: [String] { events.map(\.name) }

    /// Returns the events of one name.
    package func events(_ name: String) -> [StoreEvent] { events.filter { $0.name == name } }

    /// Returns an observer that keeps each event and then calls `body`.
    package func observer(
        isMeasuring: Bool = false, _ body: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) -> StoreObserver {
        StoreObserver(isMeasuring: isMeasuring) { event in
            self.kept.withLock { $0.append(event) }
            body(event)
        }
    }

    /// Waits until an event of that name was received, or for ten minutes.
    package func await(_ name: String) {
        let end = ContinuousClock.now.advanced(by: .seconds(600))
        while !names.contains(name), .now < end { Thread.sleep(forTimeInterval: 0.001) }
    }
}
