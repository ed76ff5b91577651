import DaybookBytes
package import DaybookRecords
import DaybookPages

/// An object that differs between two versions of a store.
package struct RowDifference: Sendable {
    package let id: UInt64
    /// The row in the older version; nil if the object does not exist there.
    package let before: StoredRow?
    /// The row in the newer version; nil if the object does not exist there.
    package let after: StoredRow?
}

// Reads differences in batches. If a page cannot be read, the iteration continues in the trees that
// replace the damaged ones.
extension ReadView {
    private static let pieceCount = 1024

    /// Calls `visit` with each object of an entity that differs between this version and an older
    /// one, in the order of ids, until it returns false. An object that was written again counts as
    /// different even if its values are equal.
    ///
    /// Cost: the pages of the index that the versions do not share, and two rows for each visited
    /// object. A past version shares no pages if it was replayed from the log (see
    /// ``Engine/pastView(at:keepsIndexes:by:_:)``); then the cost is some 10 ns for each object
    /// that existed in either version or before. Throws `.corruption`.
    package func forEachDifference(
        of entity: UInt32, since older: ReadView,
        _ visit: (RowDifference) throws -> Bool
    ) throws {
        let tree = IndexTree.objects(of: entity)
        var start: UInt64? = 0
        while let from = start {
            try OperationCancellation.checkCurrent()
            let piece = try reading(since: older) { (old, new) throws(DaybookError) in
                var walk = try new.wordDifferences(tree, since: old, from: from)
                return try Self.piece { () throws(DaybookError) in try walk.next() }
            }
            for found in piece {
                let before = Self.living(found.old)
                let after = Self.living(found.new)
                guard before?.sequence != after?.sequence else { continue }
                let id = found.key
                let difference = RowDifference(
                    id: id,
                    before: try before.map {
                        try StoredRow($0, entity: entity, id: id, in: older.log)
                    },
                    after: try after.map { try StoredRow($0, entity: entity, id: id, in: log) })
                if try !visit(difference) { return }
            }
            // The id after the highest key cannot overflow, because no object has the highest id.
            start = Self.last(of: piece).map { $0.key + 1 }
        }
    }

    /// Calls `visit` with each link that exists in only one of two versions, as the change that
    /// leads from the older version to this one, until it returns false. The order is by relation,
    /// source, and position in the list.
    ///
    /// Cost: see ``forEachDifference(of:since:_:)``, for links instead of objects. Throws
    /// `.corruption`.
    package func forEachLinkDifference(
        since older: ReadView, among relations: [Schema.Relation],
        _ visit: (LinkChange) throws -> Bool
    ) throws {
        for relation in relations {
            let goesOn =
                relation.type.hasPositions
                ? try forEachPlaceDifference(of: relation.relationID, since: older, visit)
                : try forEachPairDifference(of: relation.relationID, since: older, visit)
            if !goesOn { return }
        }
    }

    private func forEachPairDifference(
        of relation: UInt32, since older: ReadView, _ visit: (LinkChange) throws -> Bool
    ) throws -> Bool {
        let tree = IndexTree.links(of: relation)
        var start: (UInt64, UInt64)? = (0, 0)
        while let from = start {
            let piece = try reading(since: older) { (old, new) throws(DaybookError) in
                var walk = try new.pairDifferences(tree, since: old, from: from)
                return try Self.piece { () throws(DaybookError) in try walk.next() }
            }
            for found in piece {
                let change = LinkChange(
                    isLink: found.isNew, relation: relation, source: found.first,
                    target: found.second)
                if try !visit(change) { return false }
            }
            start = Self.last(of: piece).map { ($0.first, $0.second + 1) }
        }
        return true
    }

    private func forEachPlaceDifference(
        of relation: UInt32, since older: ReadView, _ visit: (LinkChange) throws -> Bool
    ) throws -> Bool {
        let tree = IndexTree.list(of: relation)
        var start: [UInt8]? = []
        while let from = start {
            let piece = try reading(since: older) { (old, new) throws(DaybookError) in
                var walk = try new.byteDifferences(tree, since: old, from: from)
                return try Self.piece { () throws(DaybookError) in try walk.next() }
            }
            for found in piece {
                for (target, isLink) in [(found.old, false), (found.new, true)] {
                    guard let target else { continue }
                    let entry = try ListEntry(forwardKey: found.key, relation, target: target)
                    let change = LinkChange(
                        isLink: isLink, relation: relation, source: entry.source, target: target,
                        position: entry.position)
                    if try !visit(change) { return false }
                }
            }
            start = Self.last(of: piece).map { $0.key + [0] }
        }
        return true
    }

    /// Calls `body` with the trees of both versions.
    private func reading<Result>(
        since older: ReadView,
        _ body: (_ old: PageReader, _ new: PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        try older.reading { (old) throws(DaybookError) in
            try reading { (new) throws(DaybookError) in try body(old, new) }
        }
    }

    private static func piece<Found>(
        _ next: () throws(DaybookError) -> Found?
    ) throws(DaybookError) -> [Found] {
        var piece: [Found] = []
        while piece.count < pieceCount, let found = try next() { piece.append(found) }
        return piece
    }

    /// The element after which the next batch begins; nil if this batch is the last.
    private static func last<Found>(of piece: [Found]) -> Found? {
        piece.count == pieceCount ? piece.last : nil
    }

    private static func living(_ value: WordValue?) -> ObjectEntry? {
        guard let value else { return nil }
        let entry = ObjectEntry(value)
        return entry.isRemoved ? nil : entry
    }
}

extension ListEntry {
    /// Decodes the key of an entry in the tree of a relation's lists. Throws `.corruption` for an
    /// invalid key.
    fileprivate init(
        forwardKey key: [UInt8], _ relation: UInt32, target: UInt64
    ) throws(DaybookError) {
        let position = Array(key.dropFirst(Self.prefixLength))
        try PageReader.check(position)
        self.init(
            relation: relation,
            source: key.prefix(Self.prefixLength).reduce(0) { $0 << 8 | UInt64($1) },
            target: target, position: position)
    }
}
