import DaybookBytes
import DaybookEngine
import DaybookMaintenance

/// Checks the guarantees that hold for a store after every kind of failure.
struct StoreCheck {
    let options: EngineOptions
    let history: ModelHistory
    /// The last transaction whose commit returned before the failure.
    let acknowledged: UInt64
    /// The last transaction that was begun.
    let issued: UInt64

    /// Opens the store and checks it. Returns the recovered sequence. Throws a ``Violation`` for
    /// the first violated guarantee.
    ///
    /// `isThorough` also writes to the recovered store, and opens it read-only first.
    func run(_ fileSystem: MemoryFileSystem, isThorough: Bool) throws -> UInt64 {
        let found = Self.files(fileSystem)
        let readOnly = isThorough ? try openReadOnly(fileSystem, found) : nil

        let first = try open(fileSystem, "the store does not open")
        let recovered = first.sequence
        let hash = try checkState(first, "after recovery")
        let report = first.engine.openReport
        if let readOnly, readOnly != recovered {
            throw Violation("read-only it ends at \(readOnly), opened for writing at \(recovered)")
        }
        try checkQuarantine(report.recovery.quarantinedFile, report.recovery.tornBytes, fileSystem)
        try first.engine.close()

        let closed = Self.files(fileSystem)
        try checkNothingLost(found, closed)
        let second = try open(fileSystem, "the store does not open again")
        let again = second.engine.openReport.recovery
        guard again.wasClosedCleanly, again.tornBytes == 0, again.rewrittenFrameCount == 0,
            again.orphanedFiles.isEmpty, again.lastSequence == recovered
        else { throw Violation("the second opening found work to do: \(again)") }
        guard try second.engine.stateHash() == hash else {
            throw Violation("the second opening shows another state")
        }
        if isThorough { return try checkWriting(second, fileSystem, recovered) }
        try second.engine.close()
        if let changed = Self.difference(closed, Self.files(fileSystem)) {
            throw Violation("the second opening changed \(changed)")
        }
        return recovered
    }

    private func open(
        _ fileSystem: MemoryFileSystem, _ failure: String, access: Engine.Access = .write
    ) throws -> FaultStore {
        do {
            return try FaultStore(fileSystem, options, access: access, registering: false)
        } catch {
            throw Violation("\(failure): \(error)")
        }
    }

    /// Compares rows, counts and sequence with the model, and the live state with a replay of the
    /// log.
    private func checkState(_ store: FaultStore, _ moment: String) throws -> UInt64 {
        let sequence = store.sequence
        guard sequence >= acknowledged else {
            throw Violation("\(moment): \(acknowledged) was acknowledged, \(sequence) is there")
        }
        guard sequence <= issued, sequence <= history.sequence else {
            throw Violation("\(moment): \(issued) was issued, \(sequence) is there")
        }
        if let difference = history[sequence].difference(from: try store.objects()) {
            throw Violation("\(moment), sequence \(sequence): \(difference)")
        }
        let check = try store.engine.checkReplay()
        guard check.isEqual, check.sequence == sequence else {
            throw Violation("\(moment), sequence \(sequence): a replay gives another state")
        }
        return check.liveHash
    }

    /// Opens the store read-only, which must give the same state and change no file.
    private func openReadOnly(
        _ fileSystem: MemoryFileSystem, _ found: [String: [UInt8]]
    ) throws -> UInt64? {
        let store: FaultStore
        do {
            store = try FaultStore(fileSystem, options, access: .read, registering: false)
        } catch let error as DaybookError where isNoStoreYet(error) {
            return nil
        } catch {
            throw Violation("the store does not open read-only: \(error)")
        }
        let sequence = store.sequence
        _ = try checkState(store, "read-only")
        try store.engine.close()
        if let changed = Self.difference(found, Self.files(fileSystem)) {
            throw Violation("opening read-only changed \(changed)")
        }
        return sequence
    }

    /// Whether the creation of the store was not complete, so that readers report that no store
    /// exists.
    private func isNoStoreYet(_ error: DaybookError) -> Bool {
        acknowledged == 0 && (error.code == .notAStore || error.code == .fileNotFound)
    }

    /// Commits to the recovered store. The commit must exist after the next opening, and its id and
    /// the number of its event must be unused.
    private func checkWriting(
        _ store: FaultStore, _ fileSystem: MemoryFileSystem, _ recovered: UInt64
    ) throws -> UInt64 {
        try store.engine.close()
        let writing = try FaultStore(fileSystem, options)
        var state = history[recovered]
        let changes = [WorkloadStep.Change.insert(.note, length: 40), .append(length: 20)]
        try writing.engine.write { transaction in
            try state.apply(changes, 1, to: writing, in: transaction)
        }
        let last = writing.sequence
        guard try writing.engine.finishErasures().isFinished,
            try writing.engine.erasures().allSatisfy(\.isFinished)
        else { throw Violation("an interrupted erasure is not finished") }
        try writing.engine.close()
        let reading = try open(fileSystem, "the store does not open after a write")
        guard reading.sequence == last else {
            throw Violation("wrote up to \(last) after recovery, found \(reading.sequence)")
        }
        if let difference = state.difference(from: try reading.objects()) {
            throw Violation("after a write to the recovered store: \(difference)")
        }
        guard try reading.engine.checkReplay().isEqual else {
            throw Violation("after a write a replay of the log gives another state")
        }
        try reading.engine.close()
        return recovered
    }

    /// Checks that the quarantine contains the truncated bytes completely.
    private func checkQuarantine(
        _ name: String?, _ count: Int, _ fileSystem: MemoryFileSystem
    ) throws {
        guard count > 0 else { return }
        let path = FaultStore.path + "/quarantine/" + (name ?? "")
        let kept = fileSystem.contents[path]?.count ?? 0
        guard kept == count else {
            throw Violation("\(count) bytes were cut, and \(kept) are in quarantine")
        }
    }

    /// Checks that no temporary file remains and that the quarantine only grows.
    private func checkNothingLost(
        _ before: [String: [UInt8]], _ after: [String: [UInt8]]
    ) throws {
        if let left = after.keys.first(where: { $0.hasSuffix(".tmp") }) {
            throw Violation("\(left) is left over")
        }
        for (path, bytes) in before where path.contains("/quarantine/") && after[path] != bytes {
            throw Violation("\(path) was changed or removed")
        }
    }

    /// Returns all files except the lock file.
    static func files(_ fileSystem: MemoryFileSystem) -> [String: [UInt8]] {
        fileSystem.contents.filter { !$0.key.hasSuffix("/LOCK") }
    }

    /// Returns the first path, sorted by name, whose content differs.
    static func difference(_ one: [String: [UInt8]], _ other: [String: [UInt8]]) -> String? {
        Set(one.keys).union(other.keys).sorted().first { one[$0] != other[$0] }
    }
}
