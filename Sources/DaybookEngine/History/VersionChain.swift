import DaybookBytes
import DaybookRecords
import DaybookLog

/// The versions of one object in some frames, up to the wanted version.
struct VersionChain {
    private struct Writing {
        var previous: UInt64
        var row: StoredRow?
        var commit: CommitRecord?
    }

    private let key: VersionKey
    private var writings: [UInt64: Writing] = [:]

    init(_ key: VersionKey) { self.key = key }

    /// Whether the wanted version was found.
    var isFound: Bool { writings[key.sequence] != nil }

    /// Whether the wanted version and its commit record were found.
    var isComplete: Bool { writings[key.sequence]?.commit != nil }

    /// The versions whose commit records were found, and always the wanted version.
    var versions: [ObjectVersion] {
        writings.compactMap { sequence, writing in
            guard writing.commit != nil || sequence == key.sequence else { return nil }
            return ObjectVersion(
                sequence: sequence, timeMicroseconds: writing.commit?.timeMicroseconds ?? 0,
                metadata: writing.commit?.metadata ?? [:], row: writing.row,
                previous: writing.previous)
        }
    }

    /// Adds the commit record of the wanted version.
    mutating func note(_ commit: CommitRecord?) { writings[key.sequence]?.commit = commit }

    /// Adds the versions of the object in a frame. Throws `.corruption`.
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
