package import DaybookBytes
import DaybookLog

extension Engine {
    /// Runs `body` while no record moves to another location. Writers continue; a read-only store
    /// applies no new commits meanwhile.
    ///
    /// If the writer has replaced segments that the indexes of a read-only store point into, the
    /// method rebuilds the indexes first: a scan would not find those records.
    package func withoutRelocation<Result>(
        _ body: () throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        try compaction.withLock { _ throws(DaybookError) in
            guard log.isReadOnly else { return try body() }
            return try writer.withLock { _ throws(DaybookError) in
                if log.hasUnnamedSegments { try replayAll() }
                return try body()
            }
        }
    }
}
