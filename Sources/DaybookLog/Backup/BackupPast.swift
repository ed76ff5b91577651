package import DaybookBytes

/// What a log and an older backup of it should have in common and no file shows: a compaction has
/// put other segments in the place of those that the backup has, or a recovery has moved frames.
package struct BackupPast {
    /// The transactions to compare: those behind the last segment that both have, up to the last
    /// one of the backup.
    package let sequences: ClosedRange<UInt64>
    /// The backup's frames, from a waypoint at or before the first of them on.
    package let older: LogScanner
    /// The log's, of the moment of the new backup.
    package let current: LogScanner
    let path: String

    /// What is thrown where the backup's own frames cannot be read.
    package func damaged(_ cause: DaybookError) -> DaybookError {
        BackupTarget.damaged(path, cause)
    }
}

extension LogBackup {
    /// Refuses an older backup that this log does not go on from: the source was set back, or went
    /// its own way since.
    func requirePast(
        _ older: Manifest, _ isSame: (BackupPast) throws(DaybookError) -> Bool
    ) throws(DaybookError) {
        guard let mark = older.cleanClose, mark.sequence <= picture.end.sequence else {
            throw notThePast("it holds commits that the store does not have")
        }
        let shared = try lastShared(with: older, mark)
        guard shared < mark.sequence else { return }
        let current = try log.scan(fromSequence: shared + 1, in: picture)
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

    /// The last transaction up to which the files show that both have the same. A segment says
    /// which one it is by its number and its hash, and what was written before it was the same,
    /// too.
    private func lastShared(
        with older: Manifest, _ mark: Manifest.CleanClose
    ) throws(DaybookError) -> UInt64 {
        var shared: UInt64 = 0
        for entry in picture.manifest.sealed {
            guard let known = known[entry.number] else { continue }
            guard known == entry else { throw notThePast("segment \(entry.number) differs") }
            shared = max(shared, entry.lastSequence)
        }
        // A compaction may have put another in the place of the last one, and a recovery may have
        // moved its last frames elsewhere.
        guard let entry = picture.entries.first(where: { $0.number == older.activeNumber }),
            (entry.sealOffset > 0 ? entry.sealOffset : entry.length) >= mark.length
        else { return shared }
        let segment = try picture.segment(entry.number)
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
            target.path, "its backup is not of the past of this store, for \(why)")
    }
}
