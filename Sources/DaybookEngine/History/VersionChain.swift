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
    /// The transaction of the last version, if its commit record is in a later frame.
    private var unfinished: UInt64?

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
        var found: Record?
        var reader = RecordReader(frame.payload.span)
        while let record = try reader.nextVersion(of: key.entity, key.id) {
            guard record.kind == .commit else {
                found = found ?? record
                // The rest of the frame belongs to the same transaction, without a commit record.
                if frame.header.continuesTransaction { break }
                continue
            }
            guard found != nil || unfinished != nil else { continue }
            let commit = try CommitRecord(
                decoding: frame.payload.span.extracting(record.body))
            if let found {
                note(found, of: commit.sequence, commit, in: frame)
            } else if unfinished == commit.sequence {
                writings[commit.sequence]?.commit = commit
            }
            (found, unfinished) = (nil, nil)
        }
        guard let found else { return }
        unfinished = frame.header.lastSequence
        note(found, of: frame.header.lastSequence, nil, in: frame)
    }

    private mutating func note(
        _ record: Record, of sequence: UInt64, _ commit: CommitRecord?, in frame: LogScanner.Frame
    ) {
        guard sequence <= key.sequence else { return }
        writings[sequence] = Writing(
            previous: record.previous,
            row: record.kind == .put
                ? StoredRow(copying: record, of: sequence, in: frame.payload) : nil,
            commit: commit)
    }
}

extension FrameHeader {
    /// Whether all records of the frame belong to one transaction that ends in a later frame.
    fileprivate var continuesTransaction: Bool {
        firstSequence == lastSequence && !endsTransaction
    }
}
