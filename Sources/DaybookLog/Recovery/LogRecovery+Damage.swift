import DaybookBytes

extension LogRecovery {
    /// Rejects an active segment whose first sector was lost with the frames in it.
    ///
    /// The header was synced before the manifest named the segment, so a damaged one is not an
    /// effect of a crash. If no frame follows it, and no clean close says so, frames of commits
    /// that returned may be missing.
    func requireFrames(after segment: Segment, _ walk: TailScanner) throws(DaybookError) {
        guard segment.headerDamage == .total, walk.end.offset == segment.start.offset,
            directory.manifest.cleanClose?.sequence != walk.end.sequence
        else { return }
        throw .corruption(
            segment: segment.number, offset: 0, after: walk.end.sequence,
            "its header and its first frames are missing")
    }

    /// Writes the damaged header of the active segment again, and a new manifest with a new CURRENT
    /// if one of them is damaged.
    ///
    /// A full volume does not prevent the opening, because the damage costs nothing. A failed sync
    /// does.
    mutating func rewriteDamaged(
        _ segment: Segment, framesEnd end: Int
    ) throws(DaybookError) {
        if segment.hasRepairableHeader(framesEnd: end) {
            try segment.rewriteHeader(in: try segment.file)
        }
        let isRewritten = directory.manifest.generation != generationFound
        guard !directory.damage.isEmpty, !isRewritten else { return }
        do throws(DaybookError) {
            try commit(directory.manifest)
        } catch  where error.code == .durabilityUnknown {
            throw error
        } catch {}
    }
}
