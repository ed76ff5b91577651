import Daybook

extension BrowsedStore {
    /// The files of the store.
    func report() throws -> StoreReport {
        let statistics = try store.statistics()
        let bytes = statistics.fileBytes
        return StoreReport(
            createdMicroseconds: statistics.createdMicroseconds,
            formatVersion: Int(statistics.formatVersion), generation: statistics.generation,
            segments: statistics.segments.map { segment in
                SegmentDescription(
                    number: segment.number, state: segment.state.rawValue,
                    firstSequence: segment.firstSequence, lastSequence: segment.lastSequence,
                    bytes: segment.lengthBytes, rawBytes: segment.rawBytes,
                    records: segment.recordCount)
            },
            snapshots: statistics.snapshots.map { snapshot in
                SnapshotDescription(
                    sequence: snapshot.sequence, bytes: snapshot.lengthBytes,
                    isBase: snapshot.isBase, rejection: snapshot.rejection)
            },
            quarantine: statistics.quarantine.map {
                FileDescription(name: $0.name, bytes: $0.lengthBytes)
            },
            bytesByKind: [
                FileDescription(name: "segments", bytes: bytes.segments),
                FileDescription(name: "snapshots", bytes: bytes.snapshots),
                FileDescription(name: "manifests", bytes: bytes.manifests),
                FileDescription(name: "quarantine", bytes: bytes.quarantine),
                FileDescription(name: "other", bytes: bytes.other),
            ],
            logRawBytes: statistics.logRawBytes)
    }
}
