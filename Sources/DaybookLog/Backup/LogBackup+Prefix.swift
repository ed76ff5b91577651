import DaybookBytes

extension LogBackup {
    /// Rejects an older backup that is not a prefix of this log: the store and the source of the
    /// backup are copies of one store that were written to separately.
    ///
    /// The sessions of the last transaction in the backup decide, because no compaction drops them.
    /// If the store has forgotten that session, equal files prove the same.
    func requirePrefix(_ older: Manifest) throws(DaybookError) {
        let last = logView.end.sequence
        guard let mark = older.cleanClose, mark.sequence <= last else {
            throw notThePast("it holds commits that the store does not have", last)
        }
        let comparison = sessions.comparison(with: older.sessions, at: mark.sequence)
        guard comparison != .different else {
            throw notThePast(
                "different sessions wrote commit \(mark.sequence), in copies of one store",
                mark.sequence)
        }
        let isProven = try requireSameSegments(older, mark)
        if comparison == .unknown, !isProven { throw unprovable(mark.sequence) }
    }

    /// Throws if a number names different segments, because their files may have the same name:
    /// copies with the same history were compacted separately.
    ///
    /// Returns whether the last transaction of the backup is in the same frames in both, and so the
    /// history before it is the same. A compacted segment and an empty one prove nothing: they do
    /// not contain the dropped records.
    private func requireSameSegments(
        _ older: Manifest, _ mark: Manifest.CleanClose
    ) throws(DaybookError) -> Bool {
        var isProven = false
        for entry in logView.entries {
            if let known = known[entry.number] {
                guard known == entry else { throw differs(entry) }
                let isLast = entry.lastSequence == mark.sequence
                isProven = isProven || isLast && !entry.isBlocked
            } else if entry.number == older.activeNumber {
                guard try begins(entry, with: mark) else { throw differs(entry) }
                isProven = isProven || mark.length > LogFormat.SegmentHeader.length
            }
        }
        return isProven
    }

    /// Whether a segment contains the frames of the backup's last one.
    private func begins(
        _ entry: SegmentEntry, with mark: Manifest.CleanClose
    ) throws(DaybookError) -> Bool {
        let framesEnd = entry.sealOffset > 0 ? entry.sealOffset : entry.length
        guard framesEnd >= mark.length else { return false }
        let lead = LogFormat.trailerLength
        let trailer = try logView.segment(entry.number).file.read(lead, at: mark.length - lead)
        return trailer.span.loadLittleEndian(at: 0) == mark.check
    }

    private func differs(_ entry: SegmentEntry) -> DaybookError {
        notThePast(
            "segment \(entry.number) differs, so both were compacted separately",
            entry.lastSequence)
    }

    private func notThePast(_ why: String, _ sequence: UInt64) -> DaybookError {
        BackupTarget.invalid(
            target.path, "its backup is not of the past of this store in \(log.directory): \(why)",
            details: ["store": log.directory, "sequence": String(sequence)])
    }

    private func unprovable(_ sequence: UInt64) -> DaybookError {
        DaybookError(
            .backupInvalid,
            "The backup in \(target.path) is too old to be continued: the store in"
                + " \(log.directory) was opened more than \(Sessions.countMax) times for writing"
                + " since, and compacted. Make a full backup in an empty or new directory.",
            details: [
                "path": target.path, "store": log.directory, "sequence": String(sequence),
            ])
    }
}
