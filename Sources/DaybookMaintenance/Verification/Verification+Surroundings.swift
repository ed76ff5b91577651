import DaybookBytes
import DaybookEngine
import DaybookLog
import Dispatch

extension Verification {
    /// Reports the bytes after the end of the log, and files that do not belong to it.
    mutating func lookAround(_ log: Log) throws(DaybookError) {
        try findTornTail(log)
        let listing = DirectoryListing(log)
        for name in try listing.unnamedFiles() {
            report.add(
                .note, name,
                "No manifest names it: a crash left it, or a writer is creating it. The next"
                    + " opening for writing removes it.")
        }
        try listQuarantine(log.manifest)
    }

    mutating func listQuarantine(_ manifest: Manifest) throws(DaybookError) {
        for file in try DirectoryListing(path: path, fileSystem, manifest).quarantine() {
            report.add(
                .note, StoreFileName.quarantine.text + "/" + file.name,
                "Recovery moved \(file.lengthBytes) bytes here. Daybook never reads them; you can"
                    + " remove the file.",
                ["bytes": String(file.lengthBytes)])
        }
    }

    /// Reports bytes after the last whole transaction: a crash left them, or a writer is active.
    private mutating func findTornTail(_ log: Log) throws(DaybookError) {
        for _ in 0..<Self.lookCount {
            let end = log.end
            let count = try log.tornByteCount()
            guard count > 0 else { return }
            // The frames of an active writer become whole; bytes that a crash left do not change.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + Self.pause)
            if try hasMoved(log) { return }
            if log.end != end { continue }
            return report.add(
                .repairable, log.manifest.activeFileName.text,
                "After the last whole transaction, there are \(count) bytes of a torn write. The"
                    + " next opening for writing moves them to quarantine.",
                ["offset": String(end.offset), "bytes": String(count)])
        }
    }

    private static let lookCount = 3
    private static let pause = DispatchTimeInterval.milliseconds(20)

    /// Follows the writer; true if it continues in another file.
    private func hasMoved(_ log: Log) throws(DaybookError) -> Bool {
        let generation = log.manifest.generation
        do throws(DaybookError) {
            _ = try log.refresh(applied: log.lastSequence)
            return log.manifest.generation != generation
        } catch  where error.code == .historyTruncated || error.code == .corruption {
            let now = try LogDirectory.openForReading(path, fileSystem).manifest.generation
            if now != generation { return true }
            throw error
        }
    }
}
