import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookLog

extension Verification {
    /// Compares each sealed file with its length and hash in the manifest.
    mutating func checkHashes(
        _ manifest: Manifest, _ control: OperationControl
    ) throws(DaybookError) {
        let total = max(1, manifest.sealed.reduce(0) { $0 + $1.length })
        var done = 0
        for entry in manifest.sealed {
            do throws(DaybookError) {
                try checkHash(entry, manifest) { read throws(DaybookError) in
                    try control.check()
                    control.progress(Double(done + read) / Double(total))
                }
            } catch  where error.isDamage || error.code == .fileNotFound {
                // A compaction of the writer may have replaced the file meanwhile.
                if isStillNamed(entry) { add(error, to: entry) }
            }
            done += entry.length
        }
    }

    private func checkHash(
        _ entry: SegmentEntry, _ manifest: Manifest, _ progress: (Int) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        let file = try fileSystem.open(path + "/" + entry.fileName.text, .read)
        defer { file.close() }
        var hash = XXH64()
        var offset = 0
        while offset < entry.length {
            try progress(offset)
            var bytes = try file.read(min(1 << 20, entry.length - offset), at: offset)
            // The opening has reported a damaged header, which follows from the manifest.
            if offset == 0 { manifest.restoreHeader(of: entry, in: &bytes) }
            guard !bytes.isEmpty else {
                throw damaged("it has \(offset) bytes but was sealed with \(entry.length)")
            }
            hash.update(bytes.span)
            offset += bytes.count
        }
        guard hash.digest() == entry.hash else {
            throw damaged("its content differs from the hash in the manifest")
        }
    }

    private func damaged(_ why: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The file is damaged: \(why). Restore a backup, or save everything that is intact with"
                + " 'daybook repair DIR --into NEW'.")
    }

    private func isStillNamed(_ entry: SegmentEntry) -> Bool {
        let now = try? LogDirectory.openForReading(path, fileSystem).manifest
        return now?.sealed.contains(entry) ?? true
    }

    private mutating func add(_ error: DaybookError, to entry: SegmentEntry) {
        let details = error.details.merging(
            [
                "segment": String(entry.number), "firstSequence": String(entry.firstSequence),
                "lastSequence": String(entry.lastSequence),
            ]) { $1 }
        report.add(.corruption, entry.fileName.text, error.message, details)
    }

    /// Decodes all frames, records and rows, segment by segment. Damage in one segment does not
    /// hide damage in another.
    mutating func walk(_ engine: Engine, _ control: OperationControl) throws(DaybookError) {
        let log = engine.log
        let progress = LogProgress(log)
        let schemas = SchemaTable(Schema())
        // Nil after damage, because the versions there are unknown.
        var chains: VersionChainCheck? = VersionChainCheck(
            historyFloor: log.manifest.historyFloor,
            // If a record of an erasure is damaged, the walk reports it.
            erased: (try? engine.objectsBeingErased()) ?? [:])
        for entry in log.entries {
            do throws(DaybookError) {
                let directory = try directory(of: entry, in: log)
                var scanner = try log.scan(entry)
                while let frame = try scanner.next() {
                    try control.check()
                    try look(at: frame, schemas)
                    try Self.checkRanges(of: frame, directory)
                    for (record, sequence) in try frame.records() {
                        chains?.note(record, of: sequence)
                    }
                    control.progress(progress.fraction(at: frame))
                }
                report(&chains, in: entry)
            } catch  where error.isDamage {
                chains = nil
                addUnlessNamed(error, to: entry)
            }
        }
    }

    /// The directory of a segment; nil if it is damaged. The frames can then be read nevertheless.
    private mutating func directory(
        of entry: SegmentEntry, in log: Log
    ) throws(DaybookError) -> SegmentDirectory? {
        do throws(DaybookError) {
            return try SegmentDirectory(of: entry, in: log)
        } catch  where error.isDamage {
            addUnlessNamed(error, to: entry)
            return nil
        }
    }

    /// Reports the damage of a segment, unless the segment has a finding already.
    private mutating func addUnlessNamed(_ error: DaybookError, to entry: SegmentEntry) {
        let isNamed = report.findings.contains { $0.subject == entry.fileName.text }
        if !isNamed { add(error, to: entry) }
    }

    /// Throws `.corruption` if a lookup by an id would not find a record of the frame.
    private static func checkRanges(
        of frame: LogScanner.Frame, _ directory: SegmentDirectory?
    ) throws(DaybookError) {
        var isRight = directory?.covers(frame) ?? true
        try frame.forEachRecord { record in
            guard record.kind == .put || record.kind == .remove else { return }
            isRight = isRight && frame.header.keys.contains(record.id)
        }
        guard !isRight else { return }
        throw DaybookError(
            .corruption,
            "The frame at byte \(frame.offset) has a wrong range of ids, so the history of its"
                + " objects cannot be read. Restore the file from a backup.",
            details: ["segment": String(frame.segment), "offset": String(frame.offset)])
    }

    private mutating func look(
        at frame: LogScanner.Frame, _ schemas: SchemaTable
    ) throws(DaybookError) {
        report.frameCount += 1
        try frame.forEachRecord { record throws(DaybookError) in
            report.recordCount += 1
            let body = frame.payload.span.extracting(record.body)
            switch record.kind {
            case .put, .event:
                let layout = try schemas.rowLayout(record.layout)
                try RowView.checkFields(
                    frame.payload.span.extracting(record.row), layout, layouts: schemas.rowLayout)
                report.rowCount += 1
            case .schema: try schemas.add([try EntityLayout(decoding: body)])
            case .commit:
                _ = try CommitRecord(decoding: body)
                report.transactionCount += 1
            case .compacted: _ = try CompactedRecord(decoding: body)
            case .erased: _ = try ErasedRecord(decoding: body)
            case .remove, .link, .unlink, .listInsert, .listRemove: break
            }
        }
    }
}

extension RowView {
    /// Decodes every field of a row, embedded rows included. Throws `.corruption` for a field that
    /// cannot be decoded.
    static func checkFields(
        _ bytes: Span<UInt8>, _ layout: RowLayout, layouts: LayoutLookUp
    ) throws(DaybookError) {
        let row = try RowView(bytes, layout)
        for (index, field) in layout.layout.fields.enumerated() where !row.isNull(index) {
            switch field.type {
            case .string: _ = try row.text(index)
            case .bytes: _ = try row.bytes(index)
            // The length of the row was checked, and every bit pattern is a number.
            case let type where type.fixedWidthBytes != nil: break
            default:
                var text = JSONText()
                try text.value(try row.value(index), field.type, layouts: layouts)
            }
        }
    }
}
