import DaybookBytes
import DaybookEngine

extension LiveQueries {
    /// A query whose changes are reported.
    struct Listener {
        let query: QueryRunner
        let wake: @Sendable () -> Void
        /// Takes the last changes before the store closes.
        let finish: @Sendable () -> Void
        var touches = CommitTouches()
        /// Whether the touched objects are unknown.
        var isLost = false
        /// The error that prevents further notifications.
        var failure: DaybookError?
        var isDue = false
        /// The version of the first result. Earlier changes are not reported.
        var start: UInt64?
    }

    /// The listeners and observers.
    struct State {
        var registry = QueryRegistry()
        var listeners: [Int: Listener] = [:]
        /// The listeners that are not registered by key yet, because the changes since their first
        /// version have not all been read.
        var fresh: Set<Int> = []
        var dueCount = 0
        var observers: [Int: LiveObserver] = [:]
        var nextNumber = 0
        /// The commit after which a new reader begins: the newest one when the first of the
        /// listeners registered. The reader takes it.
        var start: UInt64?
        /// The version that the due listeners advance to.
        var view: ReadView?
        /// The version up to which the touched objects of all listeners are known.
        var readSequence: UInt64 = 0
        var commitCount = 0
        var concernedCount = 0

        var isIdle: Bool { listeners.isEmpty && observers.isEmpty }

        /// Returns the calls that pass a notice to the wanted observers, in the order of their
        /// registration.
        func tellings(
            _ notice: LiveObserver.Notice, _ isWanted: (LiveObserver) -> Bool = { _ in true }
        ) -> [@Sendable () -> Void] {
            observers.sorted { $0.key < $1.key }.filter { isWanted($0.value) }.map { _, observer in
                { observer.tell(notice) }
            }
        }

        /// Removes all observers. Returns the calls that pass them the reason.
        mutating func removeObservers(_ notice: LiveObserver.Notice) -> [@Sendable () -> Void] {
            defer { observers = [:] }
            return tellings(notice)
        }

        /// Updates the number of due listeners, and releases the version if there are none.
        mutating func countDue(from wasDue: Bool, to isDue: Bool) {
            dueCount += (isDue ? 1 : 0) - (wasDue ? 1 : 0)
            if dueCount == 0 { view = nil }
        }
    }

    /// The state of the log reader. One thread at a time uses it.
    struct Reading {
        var reader: ChangeReader?
        /// The version up to which the log is being read.
        var view: ReadView?
        var marks: CommitMarks?
    }
}
