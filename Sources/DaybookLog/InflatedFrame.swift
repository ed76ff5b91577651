/// A frame's payload in memory, whole and checked.
///
/// A value around the array's own reference: a look-up that finds it in the cache touches one object
/// and not two, and at random that is a cache miss less.
package struct InflatedFrame: Sendable {
    /// The records, as they were encoded.
    package let bytes: [UInt8]
    package let firstSequence: UInt64
    package let lastSequence: UInt64

    init(bytes: [UInt8], firstSequence: UInt64 = 0, lastSequence: UInt64 = 0) {
        self.bytes = bytes
        self.firstSequence = firstSequence
        self.lastSequence = lastSequence
    }
}
