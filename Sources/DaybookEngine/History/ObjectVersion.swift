import DaybookBytes
import DaybookRecords

/// The version of an object that a transaction wrote.
package struct ObjectVersion: Sendable {
    /// The transaction that wrote it.
    package let sequence: UInt64
    /// The commit time of the transaction, in microseconds since 1970.
    package let timeMicroseconds: Int64
    /// The metadata that the program added to the transaction.
    package let metadata: [String: String]
    /// The row; nil if the transaction removed the object.
    package let row: StoredRow?
    /// The transaction that wrote the preceding version; 0 if there is none.
    package let previous: UInt64

    init(
        sequence: UInt64, timeMicroseconds: Int64, metadata: [String: String], row: StoredRow?,
        previous: UInt64
    ) {
        self.sequence = sequence
        self.timeMicroseconds = timeMicroseconds
        self.metadata = metadata
        self.row = row
        self.previous = previous
    }

    /// The version of a put or remove; its row is a copy.
    init(
        _ record: Record, of sequence: UInt64, _ commit: CommitRecord?, in payload: [UInt8]
    ) {
        self.init(
            sequence: sequence, timeMicroseconds: commit?.timeMicroseconds ?? 0,
            metadata: commit?.metadata ?? [:],
            row: record.kind == .put
                ? StoredRow(copying: record, of: sequence, in: payload) : nil,
            previous: record.previous)
    }
}
