import DaybookBytes

/// What an object was after one transaction that changed it.
package struct ObjectVersion: Sendable {
    /// The transaction that wrote it.
    package let sequence: UInt64
    /// When that was committed, in microseconds since 1970.
    package let timeMicroseconds: Int64
    /// What the program noted with it.
    package let metadata: [String: String]
    /// The row; nil where the transaction removed the object.
    package let row: StoredRow?
    /// The transaction that wrote the version before; 0 where there was none.
    package let previous: UInt64
}
