import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookRecords

/// An object, by the numbers that records contain.
struct ObjectName: Hashable {
    var entity: UInt32
    var id: UInt64

    init(entity: UInt32, id: UInt64) { (self.entity, self.id) = (entity, id) }
    init(_ record: Record) { self.init(entity: record.entity, id: record.id) }
}

extension LogScanner.Frame {
    /// The records with the sequences of their transactions; nil if the payload does not consist of
    /// records.
    func salvagedRecords() throws(DaybookError) -> [(record: Record, sequence: UInt64)]? {
        do throws(DaybookError) {
            return try records()
        } catch  where error.code == .corruption {
            return nil
        }
    }
}

extension SalvageScanner.Gap {
    /// Whether the first transaction after the gap may have begun in it.
    func mayContainBeginning(of sequence: UInt64) -> Bool {
        if let lastHeader { return !lastHeader.endsTransaction }
        return !endsWithCommit(before: sequence)
    }

    /// Whether the bytes directly before the next frame are the end of another transaction. No
    /// check confirms these bytes, so they decide only about the report.
    private func endsWithCommit(before sequence: UInt64) -> Bool {
        let span = lastBytes.span
        for offset in lastBytes.indices.reversed() {
            // The length of a commit record has one to three bytes, and its kind follows.
            let isCandidate = (1...3).contains { length in
                offset + length < lastBytes.count
                    && lastBytes[offset + length] == Record.Kind.commit.rawValue
            }
            guard isCandidate, let record = try? Record.at(offset, in: span),
                record.kind == .commit, lastBytes.count - record.end < 8,
                lastBytes[record.end...].allSatisfy({ $0 == 0 }),
                let commit = try? CommitRecord(decoding: span.extracting(record.body))
            else { continue }
            return commit.sequence < sequence
        }
        return false
    }

    /// The transactions of the gap, if it is a single frame whose header is intact.
    var knownSequences: ClosedRange<UInt64>? {
        guard headers.count == 1, let header = headers.first,
            header.frameLength == bytes.count, header.firstSequence <= header.lastSequence
        else { return nil }
        return header.firstSequence...header.lastSequence
    }

    /// Adds a gap that follows directly.
    mutating func extend(by next: SalvageScanner.Gap) {
        bytes = bytes.lowerBound..<next.bytes.upperBound
        headers += next.headers
        lastHeader = next.lastHeader
        lastBytes = next.lastBytes
    }
}
