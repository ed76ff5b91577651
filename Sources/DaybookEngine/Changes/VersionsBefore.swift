package import DaybookBytes
import Synchronization

/// The versions before the changes of one commit, for a reader that asks for one after the other.
///
/// The first question is a lookup. From the second on, a question also reads the versions before
/// the changes that follow, in one pass over the log, and keeps them until the next such pass.
package final class VersionsBefore: Sendable {
    /// The limits of one pass. The rows are copies, so they retain no frames.
    private static let passCountMax = 1 << 15
    private static let passBytesMax = 8 << 20

    private struct State {
        var wasAsked = false
        /// The versions of the last pass, by the places of their changes.
        var pass: [Int: CommitChanges.Before] = [:]
    }

    package let commit: CommitChanges
    private let state = Mutex(State())

    package init(_ commit: CommitChanges) { self.commit = commit }

    /// Returns the version before the `index`-th change. Cost: none for an insert or for a version
    /// of the last pass. Throws `.corruption` and `.closed`.
    package func before(_ index: Int) throws(DaybookError) -> CommitChanges.Before {
        guard commit.objects[index].previous > 0 else { return try commit.versionBefore(index) }
        let (known, isFirst) = state.withLock { state in
            defer { state.wasAsked = true }
            return (state.pass[index], !state.wasAsked)
        }
        if let known { return known }
        if !isFirst {
            let pass = read(from: index)
            state.withLock { $0.pass = pass }
            if let found = pass[index] { return found }
        }
        return try commit.versionBefore(index)
    }

    /// The versions before the changes from `first` on, as far as they can be read.
    private func read(from first: Int) -> [Int: CommitChanges.Before] {
        var pass: [Int: CommitChanges.Before] = [:]
        var bytes = 0
        var end = min(first + Self.passCountMax, commit.objects.count)
        let updated = (first..<end).lazy.filter { [commit] in commit.objects[$0].previous > 0 }
        do throws(DaybookError) {
            try commit.forEachBefore(of: updated) { index, before throws(DaybookError) in
                guard index < end else { return }
                bytes += before.byteCount
                pass[index] = before.copied
                // The versions arrive in the order of the log. The reader needs those of the next
                // changes.
                guard bytes > Self.passBytesMax, end > first + 1 else { return }
                end = first + (end - first) / 2
                pass = pass.filter { $0.key < end }
                bytes = pass.values.reduce(0) { $0 + $1.byteCount }
            }
        } catch {
            // The lookup of each version that was not found explains why.
        }
        return pass
    }

    /// Calls `visit` with the version before each change, in one pass over the log. The rows are
    /// copies. Throws `.corruption`, `.closed`, `.interrupted`.
    package func forEach(
        _ visit: (Int, CommitChanges.Before) -> Void
    ) throws(DaybookError) {
        try commit.forEachBefore(of: commit.objects.indices) { index, before in
            visit(index, before.copied)
        }
    }
}

extension CommitChanges.Before {
    /// The same version, without the frame that contains its row.
    fileprivate var copied: CommitChanges.Before {
        if case .row(let row) = self { return .row(row.copied) }
        return self
    }

    fileprivate var byteCount: Int {
        if case .row(let row) = self { return row.range.count }
        return 0
    }
}
