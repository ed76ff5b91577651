import DaybookBytes
import DaybookEngine
import Synchronization

/// Reads commits in batches on threads of the library, and waits for more.
final class ChangeFeed: Sendable {
    private struct State {
        var reader: ChangeReader?
        /// Commits that were read but not returned yet.
        var ahead: ArraySlice<CommitChanges> = []
    }

    /// The result of one read: a commit, or the sequence that the reader reached without one.
    private enum Step: Sendable {
        case commit(CommitChanges)
        case caughtUp(UInt64)
    }

    let source: ChangeSource
    private let state = Mutex(State())

    /// Limits of the commits that are read ahead, because a change of threads costs more than
    /// reading a small commit.
    private static let aheadCountMax = 64
    private static let aheadChangesMax = 1000
    private static let aheadBytesMax = 1 << 20

    /// The number of commits that were read but not returned yet.
    var aheadCount: Int { state.withLock { $0.ahead.count } }

    init(_ source: ChangeSource) { self.source = source }

    /// The next commit; nil once the store is closed, the task is cancelled, or `isWanted` returns
    /// false.
    func next(while isWanted: @Sendable () -> Bool = { true }) async throws -> CommitChanges? {
        let engine = source.types.engine
        while !Task.isCancelled, isWanted() {
            if let commit = state.withLock({ $0.ahead.popFirst() }) { return commit }
            let step: Step
            do {
                step = try await engine.readElsewhere { try self.readAhead() }
            } catch DaybookError.Code.closed where state.withLock({ $0.reader != nil }) {
                return nil
            } catch is CancellationError {
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
                // The error occurs again once the commits before it were returned.
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
