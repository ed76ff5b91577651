import DaybookBytes

/// A target in the list of a source.
package struct ListEntry: Sendable, Hashable {
    package var relation: UInt32
    package var source: UInt64
    package var target: UInt64
    /// The position: see ``ListPosition``.
    package var position: [UInt8]

    package init(relation: UInt32, source: UInt64, target: UInt64, position: [UInt8]) {
        self.relation = relation
        self.source = source
        self.target = target
        self.position = position
    }

    /// Creates the entry of a list record.
    package init(_ record: Record, in payload: Span<UInt8>) {
        self.init(
            relation: record.relation, source: record.source, target: record.target,
            position: payload.extracting(record.position).array)
    }

    /// The key in ``IndexTree/list(of:)``: source and position.
    package var forwardKey: [UInt8] { Self.prefix(source) + position }

    /// The key in ``IndexTree/listBacklinks(of:)``: target, source and position.
    package var backwardKey: [UInt8] { Self.prefix(target) + Self.prefix(source) + position }

    /// The key prefix for an id.
    package static func prefix(_ id: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: id >> (56 - 8 * $0)) }
    }

    /// The length of such a prefix.
    package static let prefixLength = 8
}
