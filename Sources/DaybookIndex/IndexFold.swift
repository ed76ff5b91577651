package import DaybookBytes
package import DaybookPages

/// Folds transactions into the page trees: the same records give the same trees, whether they come
/// from a commit or from the log.
package struct IndexFold: Sendable {
    /// The counts of each entity, as of the last folded transaction.
    package private(set) var counts: [UInt32: EntityCount] = [:]
    /// The last folded transaction.
    package private(set) var sequence: UInt64 = 0

    /// A fold over empty trees.
    package init() {}

    /// A fold that goes on where the trees of `reader` stand.
    package init(resuming reader: PageReader) throws(DaybookError) {
        var cursor = try reader.words(IndexTree.entities)
        while let entry = try cursor.next() {
            if entry.key == 0 {
                sequence = entry.value.first
            } else if let entity = UInt32(exactly: entry.key) {
                var count = EntityCount()
                count.nextId = entry.value.first
                count.objectCount = entry.value.second
                counts[entity] = count
            }
        }
    }

    /// Applies one transaction, between `begin` and `end` of the space. Throws only what reading a
    /// page can throw; the trees are then half changed and must be built anew.
    package mutating func apply(
        _ changes: [IndexChange], sequence: UInt64, to space: PageSpace
    ) throws(DaybookError) {
        var touched: [UInt32] = []
        var entity: UInt32 = 0
        var count = EntityCount()
        for change in changes {
            if let next = change.entity, next != entity {
                if entity != 0 { counts[entity] = count }
                entity = next
                count = counts[next] ?? EntityCount()
                if !touched.contains(next) { touched.append(next) }
            }
            try apply(change, sequence, &count, space)
        }
        if entity != 0 { counts[entity] = count }
        for entity in touched {
            let count = counts[entity] ?? EntityCount()
            _ = try space.put(
                IndexTree.entities, UInt64(entity),
                WordValue(first: count.nextId, second: count.objectCount))
        }
        self.sequence = sequence
        _ = try space.put(IndexTree.entities, 0, WordValue(first: sequence, second: 0))
    }

    private func apply(
        _ change: IndexChange, _ sequence: UInt64, _ count: inout EntityCount, _ space: PageSpace
    ) throws(DaybookError) {
        switch change {
        case .put(let entity, let id, let location):
            let entry = ObjectEntry(location: location, sequence: sequence, isRemoved: false)
            let old = try space.put(IndexTree.objects(of: entity), id, entry.value)
            if old.map({ ObjectEntry($0).isRemoved }) ?? true { count.objectCount += 1 }
            if id >= count.nextId { count.nextId = id &+ 1 }
        case .remove(let entity, let id, let location):
            let entry = ObjectEntry(location: location, sequence: sequence, isRemoved: true)
            let old = try space.put(IndexTree.objects(of: entity), id, entry.value)
            if let old, !ObjectEntry(old).isRemoved { count.objectCount -= 1 }
            if id >= count.nextId { count.nextId = id &+ 1 }
        case .reserve(_, let nextId):
            count.nextId = max(count.nextId, nextId)
        case .link(let relation, let source, let target):
            _ = try space.insert(IndexTree.links(of: relation), source, target)
            _ = try space.insert(IndexTree.backlinks(of: relation), target, source)
        case .unlink(let relation, let source, let target):
            _ = try space.remove(IndexTree.links(of: relation), source, target)
            _ = try space.remove(IndexTree.backlinks(of: relation), target, source)
        }
    }
}

extension IndexChange {
    /// The entity whose counts it may change.
    var entity: UInt32? {
        switch self {
        case .put(let entity, _, _), .remove(let entity, _, _), .reserve(let entity, _): entity
        case .link, .unlink: nil
        }
    }
}
