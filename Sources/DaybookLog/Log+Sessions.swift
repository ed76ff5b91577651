import DaybookBytes
import Synchronization

extension Log {
    /// Adds the session of this opening to the manifest, before its first append. Costs one
    /// manifest once, so an opening that writes nothing adds nothing.
    ///
    /// IMPORTANT: the manifest is durable before the first frame is written. A crash in between
    /// leaves a session without transactions, which the next one replaces. Later appends do not
    /// lock the catalog, because a compaction holds it while it syncs a manifest.
    func beginSession(at sequence: UInt64) throws(DaybookError) {
        if hasBegunSession.load(ordering: .relaxed) { return }
        try commitManifest { manifest in
            manifest.sessions.begin(
                Sessions.Session(identity: session, firstSequence: sequence))
        }
        hasBegunSession.store(true, ordering: .relaxed)
    }

    /// The sessions of all transactions in a captured log.
    ///
    /// A reader may have read frames of a session that began after it loaded its manifest. The
    /// manifest in force names that session, because it was there before these frames.
    func sessions(of logView: LogView) throws(DaybookError) -> Sessions {
        var sessions = logView.manifest.sessions
        if isReadOnly, !logView.manifest.isBackup, let found = try manifestFile.load() {
            sessions = found.manifest.sessions
        }
        return sessions.until(logView.end.sequence)
    }
}
