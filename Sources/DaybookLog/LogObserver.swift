package import DaybookBytes

/// Receives the syncs of a log, and the error that stops its writes.
///
/// The calls are made on the thread that syncs, with locks of the log held. They must return
/// immediately and must not call the log.
package struct LogObserver: Sendable {
    /// Called after each successful sync with its duration.
    package var didSync: @Sendable (Duration) -> Void
    /// Called once, when the log accepts no more writes.
    package var didStop: @Sendable (DaybookError) -> Void

    package init(
        didSync: @escaping @Sendable (Duration) -> Void,
        didStop: @escaping @Sendable (DaybookError) -> Void
    ) {
        self.didSync = didSync
        self.didStop = didStop
    }
}
