public import DaybookPages  // what is inlined elsewhere names its types

/// What the object index knows of an id: where its last record stands, and since when.
///
/// A removed object keeps an entry, so that its history can be walked, until compaction drops it.
@usableFromInline package struct ObjectEntry: Equatable, Sendable {
    @usableFromInline static let removedFlag: UInt64 = 1 << 63

    /// Where the put or remove stands in the log; only log and engine can read it.
    @usableFromInline package var location: UInt64
    /// The transaction that wrote it.
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
