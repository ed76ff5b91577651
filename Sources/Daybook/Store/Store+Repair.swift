#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine
import DaybookMaintenance

extension Store {
    /// Builds a new store from everything that is intact in a damaged one.
    ///
    /// Use it if a store, or a part of it, fails with `.corruption` and there is no backup with the
    /// same commits. Damage costs only the data in the damaged bytes: all intact objects, links and
    /// events before and after it are saved, with their history, sequences, times and metadata. The
    /// report lists the losses; ``RepairReport/losesData`` is false if there are none. The damaged
    /// store is never changed. Close it in all programs before.
    ///
    /// If data was lost, the history of the new store has gaps up to the last loss, and its last
    /// commit removes links to lost objects. Named consumers start again.
    ///
    /// - Parameters:
    ///   - damaged: a file URL: the directory of the store.
    ///   - directory: a file URL: an empty directory, or a directory that does not exist yet.
    ///   - keepsIncompleteCommits: whether to save the intact part of a commit that lost a part.
    ///     Such commits have the metadata `daybook.incomplete`. False leaves these commits out, and
    ///     may cost far more data than the damage: a commit may be as large as an import.
    ///   - progress: receives the completed part, 0 to 1.
    ///   - isCancelled: called often; true ends the repair with `.interrupted`.
    /// - Throws: `.fileNotFound` or `.notAStore` for the damaged store, `.corruption` if no file
    ///   identifies it any more, `.locked` if a program changed it meanwhile, `.formatTooNew`,
    ///   `.fileExists` for a directory that is not empty, `.invalidArgument` for a directory inside
    ///   the store, `.interrupted`, `.outOfSpace`, `.permissionDenied`, `.inputOutput`. After an
    ///   error no files of the new store remain.
    /// - Complexity: two reads of the damaged log, one of the new log, and memory for the indexes.
    @discardableResult
    public static func repair(
        at damaged: URL, into directory: URL, keepsIncompleteCommits: Bool = true,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> RepairReport {
        try Engine.repair(
            try backupPath(damaged), into: try backupPath(directory), RealFileSystem(),
            keepsIncomplete: keepsIncompleteCommits,
            OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// `repair` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled, and `.interrupted` if `isCancelled` returns true; no files of the new store
    /// remain then.
    @discardableResult
    public static func repair(
        at damaged: URL, into directory: URL, keepsIncompleteCommits: Bool = true,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> RepairReport {
        try await Engine.runElsewhere {
            try repair(
                at: damaged, into: directory, keepsIncompleteCommits: keepsIncompleteCommits,
                progress: progress, isCancelled: isCancelled)
        }
    }
}
