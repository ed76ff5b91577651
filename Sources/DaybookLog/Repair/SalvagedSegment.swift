import DaybookBytes

/// A segment of a log that is being repaired. Its header may be damaged, and its file may be
/// missing.
package struct SalvagedSegment: Sendable {
    package let number: UInt64
    package let firstSequence: UInt64
    /// The name of the file.
    package let file: String
    /// The last sequence according to the manifest; nil if it is unknown, and for the last segment.
    package let lastSequence: UInt64?
    /// Whether the log ends in this segment.
    package let isLast: Bool
    /// The damage of the header or of the whole file, if there is any.
    package let damage: String?
    /// The length of the file according to the manifest.
    package let length: Int?
    /// The end of the bytes that exist and count.
    package let limit: Int
    /// The length of a header.
    package var headerLength: Int { LogFormat.SegmentHeader.length }
    /// Nil if the file is missing.
    let content: SalvageFile?
    let seed: UInt64
    /// The check that the first frame is chained from.
    let headerCheck: UInt64

    /// Opens a segment. Its name and the manifest replace a damaged header.
    init(
        _ plan: Plan, store: StoreIdentity, createdMicroseconds: UInt64, in directory: String,
        _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        number = plan.number
        firstSequence = plan.firstSequence
        file = StoreFileName.segment(firstSequence: firstSequence, number: number).text
        lastSequence = plan.lastSequence
        length = plan.length
        isLast = plan.isLast
        seed = store.seed(segment: number)
        let header = SegmentHeader(
            store: store, number: number, firstSequence: firstSequence,
            createdMicroseconds: createdMicroseconds)
        guard let opened = try Self.open(directory + "/" + file, fileSystem) else {
            (content, limit, headerCheck) = (nil, 0, header.encoded().check)
            damage = "the file is missing"
            return
        }
        content = SalvageFile(plan.copy.map { PatchedFile(opened, $0) } ?? opened)
        let size = try opened.size()
        let end = max(size, plan.copy.map { $0.offset + $0.bytes.count } ?? 0)
        limit = min(end, plan.length ?? end)
        let bytes = try content?.read(LogFormat.SegmentHeader.length, at: 0) ?? []
        if let found = SegmentHeader.found(in: bytes.span),
            found.header == header.dated(found.header)
        {
            headerCheck = found.check
            damage = nil
        } else {
            headerCheck = header.encoded().check
            damage = "the header is damaged"
        }
    }

    private static func open(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> (any File)? {
        do throws(DaybookError) {
            return try fileSystem.open(path, .read)
        } catch  where error.code == .fileNotFound {
            return nil
        }
    }

    /// The description of a segment before its file is opened.
    struct Plan {
        var number: UInt64
        var firstSequence: UInt64
        var lastSequence: UInt64?
        /// The length of the file according to the manifest.
        var length: Int?
        var isLast = false
        /// The copy of the last frames in the manifest.
        var copy: Manifest.TailCopy?
    }
}

extension SegmentHeader {
    /// This header with the time of another one.
    fileprivate func dated(_ other: SegmentHeader) -> SegmentHeader {
        var header = self
        header.createdMicroseconds = other.createdMicroseconds
        return header
    }
}
