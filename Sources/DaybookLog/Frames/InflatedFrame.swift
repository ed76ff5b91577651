/// A frame's payload in memory, whole and checked.
///
/// A value around the array's own reference: a look-up that finds it in the cache touches one
/// object and not two, and at random that is a cache miss less.
package struct InflatedFrame: Sendable {
    /// The records, as they were encoded.
    package let bytes: [UInt8]
}
