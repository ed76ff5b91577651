/// A payload in a form from which single records are decoded.
package protocol PackedRecords: AnyObject, Sendable {
    /// The length of the payload.
    var rawLength: Int { get }

    /// The bytes of memory that this object takes, without a token table.
    var memoryBytes: Int { get }

    /// The record that starts at `offset` of the payload.
    ///
    /// - Throws: `.corruption` if no record starts there, or for invalid bytes.
    func record(at offset: Int) throws(DaybookError) -> [UInt8]

    /// The whole payload, of exactly ``rawLength`` bytes.
    ///
    /// - Throws: `.corruption` for invalid bytes.
    func payload() throws(DaybookError) -> [UInt8]
}
