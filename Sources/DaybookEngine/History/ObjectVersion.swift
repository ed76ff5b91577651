import DaybookBytes

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
}
