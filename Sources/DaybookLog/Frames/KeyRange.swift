import DaybookBytes

/// The range of the keys of some records. The module above numbers its records with keys from 1;
/// the log only compares them. It finds records by their keys in transactions of many frames.
package struct KeyRange: Equatable, Sendable {
    /// The range of no records.
    package static let none = KeyRange()

    /// 0 without records.
    package private(set) var lowest: UInt64 = 0
    package private(set) var highest: UInt64 = 0

    package init() {}

    /// Keys from 1; nil is no key.
    package init(_ keys: ClosedRange<UInt64>?) {
        guard let keys else { return }
        insert(keys.lowerBound)
        insert(keys.upperBound)
    }

    /// Nil for bounds that no log writes.
    init?(lowest: UInt64, highest: UInt64) {
        guard lowest <= highest, lowest > 0 || highest == 0 else { return nil }
        (self.lowest, self.highest) = (lowest, highest)
    }

    package var isEmpty: Bool { highest == 0 }

    package func contains(_ key: UInt64) -> Bool { lowest <= key && key <= highest && key > 0 }

    package func contains(_ other: KeyRange) -> Bool {
        other.isEmpty || contains(other.lowest) && contains(other.highest)
    }

    package func overlaps(_ other: KeyRange) -> Bool {
        !isEmpty && !other.isEmpty && lowest <= other.highest && other.lowest <= highest
    }

    /// Widens the range so that it contains a key, which counts from 1.
    package mutating func insert(_ key: UInt64) {
        lowest = isEmpty ? key : min(lowest, key)
        highest = max(highest, key)
    }

    package mutating func formUnion(_ other: KeyRange) {
        guard !other.isEmpty else { return }
        insert(other.lowest)
        insert(other.highest)
    }
}
