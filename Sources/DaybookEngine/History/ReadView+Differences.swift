import DaybookBytes
package import DaybookRecords
import DaybookPages

/// An object that two versions of a store do not have alike.
package struct RowDifference: Sendable {
    package let id: UInt64
    /// What the older version has; nil for nothing.
    package let before: StoredRow?
    /// What the newer version has; nil for nothing.
    package let after: StoredRow?
}

// Differences are read some at a time: where a page cannot be read, the walk goes on in the trees
// that take its place.
extension ReadView {
    private static let pieceCount = 1024

    /// Gives each object of an entity that another version does not have as this one has it to
    /// `visit`, in the order of ids, until that returns false. One that was written again is among
    /// them, whatever was written.
    ///
    /// Cost: the pages of the index that the versions do not share, and two rows for each object
    /// that is given. A version that was replayed from the log, for less was there before it than
    /// came after, shares none: then some 10 ns for each object that one of both ever had. Throws
    /// `.corruption`.
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
            // No object has the highest id.
            start = Self.last(of: piece).map { $0.key + 1 }
        }
    }

    /// Gives each link that one of two versions has and the other has not to `visit`, as what makes
    /// this version of the older one, until that returns false: relation by relation, in the order
    /// of their sources, and of the places in lists.
    ///
    /// Cost: as of ``forEachDifference(of:since:_:)``, by links. Throws `.corruption`.
    package func forEachLinkDifference(
        since older: ReadView, among relations: [Schema.Relation],
        _ visit: (LinkChange) throws -> Bool
    ) throws {
        for relation in relations {
            let goesOn =
                relation.type == .objects
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

    /// Reads the trees of both versions.
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

    /// What the next piece begins behind; nil where there is none.
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
    /// The entry of a key in the tree of a relation's lists. Throws `.corruption` for what is none.
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
