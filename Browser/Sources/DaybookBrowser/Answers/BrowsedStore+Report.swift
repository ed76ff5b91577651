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
            logRawBytes: statistics.logRawBytes,
            consumers: try store.consumerStatuses().map { ConsumerDescription($0) })
    }

    /// Reads and checks the whole store.
    func verify(_ meter: WorkMeter) async throws -> VerificationDescription {
        VerificationDescription(
            try await store.verify(progress: meter.reporting(of: try logBytes())))
    }

    /// Reads the log, and adds up its bytes by their use.
    func measure(_ meter: WorkMeter) async throws -> MeasurementDescription {
        MeasurementDescription(
            try await store.logContents(progress: meter.reporting(of: try logBytes())))
    }

    private func logBytes() throws -> Int { try store.statistics().logBytes }
}

extension ConsumerDescription {
    init(_ status: ConsumerStatus) {
        self.init(
            name: status.name, sequence: status.position?.sequence,
            microseconds: status.date?.microseconds, lag: status.lag, lagBytes: status.lagBytes,
            problem: status.error?.message)
    }
}

extension VerificationDescription {
    /// The most findings that are shown.
    private static let linesMax = 200

    init(_ report: VerificationReport) {
        let summary =
            "Checked \(report.segmentCount) segments, \(report.frameCount) frames,"
            + " \(report.transactionCount) transactions, \(report.objectCount) objects and"
            + " \(report.snapshotCount) snapshots up to commit \(report.sequence)."
        self.init(
            isSound: report.severity.map { $0 <= .note } ?? true,
            lines: [summary]
                + report.findings.prefix(Self.linesMax)
                .map { "\($0.severity.rawValue): \($0.subject): \($0.message)" })
    }
}

extension MeasurementDescription {
    init(_ contents: LogContents) {
        self.init(
            sequence: contents.sequence, total: MeasuredBytes(contents.bytes),
            segments: contents.segments.map {
                MeasuredSegment(number: $0.number, bytes: MeasuredBytes($0.bytes))
            },
            compactions: contents.compactions.map {
                CompactionLine(
                    sequence: $0.sequence, microseconds: $0.microseconds,
                    policy: $0.policy.rawValue, historyFloor: $0.historyFloor)
            })
    }
}

extension MeasuredBytes {
    init(_ bytes: LogContents.Bytes) {
        self.init(
            live: bytes.live, superseded: bytes.superseded, removed: bytes.removed,
            other: bytes.other)
    }
}
