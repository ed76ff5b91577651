import DaybookBytes
import DaybookRecords
import DaybookLog

/// The versions of one object in frames that follow each other, up to the one that is looked for.
struct GatheredVersions {
    private struct Writing {
        var previous: UInt64
        var row: StoredRow?
        var commit: CommitRecord?
    }

    private let key: VersionKey
    private var writings: [UInt64: Writing] = [:]

    init(_ key: VersionKey) { self.key = key }

    /// Whether the version that is looked for was there.
    var isFound: Bool { writings[key.sequence] != nil }

    /// Whether it was, and its commit record, too.
    var isComplete: Bool { writings[key.sequence]?.commit != nil }

    /// The versions whose commits are known, and in any case the one that is looked for.
    var versions: [ObjectVersion] {
        writings.compactMap { sequence, writing in
            guard writing.commit != nil || sequence == key.sequence else { return nil }
            return ObjectVersion(
                sequence: sequence, timeMicroseconds: writing.commit?.timeMicroseconds ?? 0,
                metadata: writing.commit?.metadata ?? [:], row: writing.row,
                previous: writing.previous)
        }
    }

    /// Notes what a frame has of the object. Throws `.corruption`.
    mutating func note(_ frame: LogScanner.Frame) throws(DaybookError) {
        for (record, sequence) in try frame.records() where sequence <= key.sequence {
            if record.kind == .commit {
                guard writings[sequence] != nil else { continue }
                writings[sequence]?.commit = try CommitRecord(
                    decoding: frame.payload.span.extracting(record.body))
            } else if record.isVersion(of: key) {
                writings[sequence] = Writing(
                    previous: record.previous,
                    row: record.kind == .put
                        ? StoredRow(copying: record, of: sequence, in: frame.payload) : nil)
            }
        }
    }
}
