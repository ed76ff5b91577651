import DaybookBytes
import DaybookEngine
import Synchronization

/// Reads commits on threads of the library's own, some at a time, and waits for more.
final class ChangeFeed: Sendable {
    private struct State {
        var reader: ChangeReader?
        /// Commits that were read and not given yet.
        var ahead: ArraySlice<CommitChanges> = []
    }

    /// What one look gave: a commit, or how far the reader got without any.
    private enum Step: Sendable {
        case commit(CommitChanges)
        case caughtUp(UInt64)
    }

    let source: ChangeSource
    private let state = Mutex(State())

    /// So many commits, or so many changes or bytes in them, are read ahead: a change of threads
    /// costs more than a small commit.
    private static let aheadCountMax = 64
    private static let aheadChangesMax = 1000
    private static let aheadBytesMax = 1 << 20

    /// How many commits were read and not given yet.
    var aheadCount: Int { state.withLock { $0.ahead.count } }

    init(_ source: ChangeSource) { self.source = source }

    /// The next commit; nil when the store is closed, the task cancelled, or nobody wants it any
    /// more.
    func next(while isWanted: @Sendable () -> Bool = { true }) async throws -> CommitChanges? {
        let engine = source.types.engine
        while !Task.isCancelled, isWanted() {
            if let commit = state.withLock({ $0.ahead.popFirst() }) { return commit }
            let step: Step
            do {
                step = try await engine.readElsewhere { try self.readAhead() }
            } catch DaybookError.Code.closed where state.withLock({ $0.reader != nil }) {
                return nil
            }
            switch step {
            case .commit(let commit): return commit
            case .caughtUp(let sequence):
                if engine.commitSignal.isEnded { return nil }
                await engine.commitSignal.wait(after: sequence, while: isWanted)
            }
        }
        return nil
    }

    private func readAhead() throws -> Step {
        try state.withLock { state in
            var reader = try state.reader ?? source.reader()
            defer { state.reader = reader }
            guard let first = try next(&reader) else { return .caughtUp(reader.sequence) }
            var changeCount = first.objects.count + first.links.count
            var bytes = first.rowBytes
            while state.ahead.count < Self.aheadCountMax, changeCount < Self.aheadChangesMax,
                bytes < Self.aheadBytesMax
            {
                // What goes wrong here goes wrong again, once what is before it was given.
                guard let commit = try? reader.next() else { break }
                state.ahead.append(commit)
                changeCount += commit.objects.count + commit.links.count
                bytes += commit.rowBytes
            }
            return .commit(first)
        }
    }

    private func next(_ reader: inout ChangeReader) throws -> CommitChanges? {
        do {
            return try reader.next()
        } catch DaybookError.Code.historyTruncated where source.truncation == .givesState {
            reader = try source.stateReader(insteadOf: reader.sequence)
            return try reader.next()
        }
    }
}
