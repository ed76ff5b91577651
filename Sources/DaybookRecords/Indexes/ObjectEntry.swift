public import DaybookPages  // what is inlined elsewhere names its types

/// The object index's entry for an id: the location and the sequence of its last record.
///
/// A removed object keeps its entry for its history until compaction drops it.
@usableFromInline package struct ObjectEntry: Equatable, Sendable {
    @usableFromInline static let removedFlag: UInt64 = 1 << 63

    /// The location of the put or remove in the log; only log and engine can interpret it.
    @usableFromInline package var location: UInt64
    /// The transaction that wrote the record.
    @usableFromInline package var sequence: UInt64
    @usableFromInline package var isRemoved: Bool

    package init(location: UInt64, sequence: UInt64, isRemoved: Bool) {
        self.location = location
        self.sequence = sequence
        self.isRemoved = isRemoved
    }

    @inlinable @inline(__always)
    package init(_ value: WordValue) {
        location = value.first
        sequence = value.second & ~Self.removedFlag
        isRemoved = value.second & Self.removedFlag != 0
    }

    package var value: WordValue {
        WordValue(first: location, second: sequence | (isRemoved ? Self.removedFlag : 0))
    }
}
