package import DaybookBytes

/// The history that a log and an older backup should share but that their files do not prove: a
/// compaction has replaced segments of the backup.
package struct BackupPast {
    /// The transactions to compare: from the end of the last shared segment to the end of the
    /// backup.
    package let sequences: ClosedRange<UInt64>
    /// The backup's frames, from a sparse index entry at or before the first sequence.
    package let older: LogScanner
    /// The log's frames, at the moment of the new backup.
    package let current: LogScanner
    let path: String

    /// The error if the backup's own frames cannot be read.
    package func damaged(_ cause: DaybookError) -> DaybookError {
        BackupTarget.damaged(path, cause)
    }
}

extension LogBackup {
    /// Rejects an older backup that is not a prefix of this log, because the source was restored
    /// from a copy or diverged.
    func requirePast(
        _ older: Manifest, _ isSame: (BackupPast) throws(DaybookError) -> Bool
    ) throws(DaybookError) {
        guard let mark = older.cleanClose, mark.sequence <= logView.end.sequence else {
            throw notThePast("it holds commits that the store does not have")
        }
        let shared = try lastShared(with: older, mark)
        guard shared < mark.sequence else { return }
        let current = try log.scan(fromSequence: shared + 1, in: logView)
        let kept: LogScanner
        do throws(DaybookError) {
            kept = try openOlder().scan(fromSequence: shared + 1)
        } catch  where error.code == .corruption {
            throw BackupTarget.damaged(target.path, error)
        }
        let past = BackupPast(
            sequences: (shared + 1)...mark.sequence, older: kept, current: current,
            path: target.path)
        guard try isSame(past) else { throw notThePast("its last commits differ") }
    }

    /// The last transaction that both provably share. Number and hash identify a segment; equal
    /// segments imply equal history before them.
    private func lastShared(
        with older: Manifest, _ mark: Manifest.CleanClose
    ) throws(DaybookError) -> UInt64 {
        var shared: UInt64 = 0
        for entry in logView.manifest.sealed {
            guard let known = known[entry.number] else { continue }
            guard known == entry else { throw notThePast("segment \(entry.number) differs") }
            shared = max(shared, entry.lastSequence)
        }
        // A compaction may have replaced the backup's last segment.
        guard let entry = logView.entries.first(where: { $0.number == older.activeNumber }),
            (entry.sealOffset > 0 ? entry.sealOffset : entry.length) >= mark.length
        else { return shared }
        let segment = try logView.segment(entry.number)
        let lead = LogFormat.trailerLength
        let trailer = try segment.file.read(lead, at: mark.length - lead)
        guard trailer.span.loadLittleEndian(at: 0) == mark.check else {
            throw notThePast("segment \(entry.number) differs")
        }
        return mark.sequence
    }

    private func openOlder() throws(DaybookError) -> Log {
        let directory = try LogDirectory.openForReading(target.path, target.fileSystem)
        return try Log.open(
            directory, transform: log.codec.transform, options: log.options, resume: nil,
            durableClaim: 0, onDurable: { _ in }
        ).log
    }

    private func notThePast(_ why: String) -> DaybookError {
        BackupTarget.invalid(
            target.path, "its backup is not of the past of this store, because \(why)")
    }
}
