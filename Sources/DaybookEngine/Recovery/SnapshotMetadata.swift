import DaybookBytes
package import DaybookRecords
package import DaybookLog

/// The metadata that a snapshot contains in addition to its pages.
package struct SnapshotMetadata {
    private static let version: UInt16 = 1

    package var store: StoreIdentity
    /// The end of the replayed log.
    package var position: LogPosition
    /// The commit time of the last transaction, in microseconds since 1970; the next transaction
    /// never has an earlier time.
    var lastTimeMicroseconds: UInt64
    /// The segments that the snapshot's locations point into.
    package var segments: [UInt64]
    package var schema: Schema

    init(
        store: StoreIdentity, position: LogPosition, lastTimeMicroseconds: UInt64,
        segments: [UInt64], schema: Schema
    ) {
        self.store = store
        self.position = position
        self.lastTimeMicroseconds = lastTimeMicroseconds
        self.segments = segments
        self.schema = schema
    }

    init(decoding bytes: Span<UInt8>) throws(DaybookError) {
        var reader = ByteReader(bytes)
        guard try reader.uint16() == Self.version else {
            throw DaybookError(.formatTooNew, "The snapshot was written by a newer release.")
        }
        store = StoreIdentity(high: try reader.uint64(), low: try reader.uint64())
        position = try LogPosition(reading: &reader)
        lastTimeMicroseconds = try reader.uint64()
        segments = []
        for _ in 0..<(try reader.length()) { segments.append(try reader.uint64()) }
        schema = try Schema(from: &reader)
    }

    /// Whether the snapshot belongs to the store of a manifest and points only into its segments.
    func fits(_ manifest: Manifest) -> Bool {
        let live = manifest.segmentNumbers
        return store == manifest.store && segments.allSatisfy(live.contains)
    }

    func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 1024)
        writer.uint16(Self.version)
        writer.uint64(store.high)
        writer.uint64(store.low)
        position.write(to: &writer)
        writer.uint64(lastTimeMicroseconds)
        writer.varint(UInt64(segments.count))
        for segment in segments { writer.uint64(segment) }
        schema.encode(to: &writer)
        return writer.bytes
    }
}
