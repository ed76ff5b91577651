import DaybookBytes

extension LogRecovery {
    /// Copies the bytes after the last whole transaction to quarantine and truncates them. The
    /// truncation is durable before any append. A valid seal frame is not copied, because it only
    /// repeats information.
    mutating func cutTail(
        _ walk: TailScanner, _ segment: Segment
    ) throws(DaybookError) {
        if walk.tornEnd > walk.end.offset {
            let torn = try segment.file.read(walk.tornEnd - walk.end.offset, at: walk.end.offset)
            let name = "segment-\(segment.number)-at-\(walk.end.offset)-after-\(walk.end.sequence)"
            report.quarantinedFile = try Quarantine(
                fileSystem: fileSystem, directory: directory.path
            ).keep(torn, name)
            report.tornBytes = torn.count
        } else if !walk.endsWithSeal {
            return
        }
        try segment.file.resize(to: walk.end.offset)
        try segment.file.sync()
    }
}
