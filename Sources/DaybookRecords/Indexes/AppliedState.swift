package import DaybookBytes
package import DaybookPages

/// Applies transactions to the page trees, and knows the state that the trees have reached. The
/// same records give the same trees in a commit and in a replay of the log.
package struct AppliedState: Sendable {
    /// The counts of each entity, as of the last applied transaction.
    package internal(set) var counts: [UInt32: EntityCount] = [:]
    /// How far the index of each number is.
    package internal(set) var indexes: [UInt32: IndexState] = [:]
    /// The numbers of each entity's indexes.
    var indexNumbers: [UInt32: [UInt32]] = [:]
    /// The last applied transaction.
    package private(set) var sequence: UInt64 = 0

    /// The state of empty trees.
    package init() {}

    /// The state of the trees of `reader`.
    ///
    /// Throws the errors of reading them, and `.corruption` with `details["snapshot"]` for trees
    /// that no sequence of transactions gives.
    package init(resuming reader: PageReader) throws(DaybookError) {
        var cursor = try reader.words(IndexTree.entities)
        while let entry = try cursor.next() {
            guard entry.key > 0 else {
                sequence = entry.value.first
                guard sequence <= RecordFormat.sequenceMax else {
                    throw Self.contradiction("the last sequence is \(sequence)")
                }
                continue
            }
            guard entry.key <= UInt64(IndexTree.entityMax) else {
                throw Self.contradiction("\(entry.key) is no entity")
            }
            let entity = UInt32(truncatingIfNeeded: entry.key)
            var count = EntityCount()
            count.nextId = entry.value.first
            count.objectCount = entry.value.second
            let entryCount = try reader.count(IndexTree.objects(of: entity))
            guard count.nextId > 0, count.objectCount <= UInt64(entryCount) else {
                throw Self.contradiction(
                    "entity \(entity) has \(count.objectCount) objects among \(entryCount) ids")
            }
            counts[entity] = count
        }
        indexes = try Self.indexStates(in: reader)
        for (index, state) in indexes { indexNumbers[state.entity, default: []].append(index) }
    }

    /// Applies one transaction, between `begin` and `end` of the space. Throws the errors of
    /// reading a page, and `.corruption` with `details["snapshot"]` if the counts contradict the
    /// trees. After an error the trees are half changed and must be rebuilt.
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
            if old.map({ ObjectEntry($0).isRemoved }) ?? true { try count.add(1, to: entity) }
            if id >= count.nextId { count.nextId = id &+ 1 }
        case .remove(let entity, let id, let location):
            let entry = ObjectEntry(location: location, sequence: sequence, isRemoved: true)
            let old = try space.put(IndexTree.objects(of: entity), id, entry.value)
            if let old, !ObjectEntry(old).isRemoved { try count.add(-1, to: entity) }
            if id >= count.nextId { count.nextId = id &+ 1 }
        case .reserve(_, let nextId):
            count.nextId = max(count.nextId, nextId)
        case .link(let relation, let source, let target):
            _ = try space.insert(IndexTree.links(of: relation), source, target)
            _ = try space.insert(IndexTree.backlinks(of: relation), target, source)
        case .unlink(let relation, let source, let target):
            _ = try space.remove(IndexTree.links(of: relation), source, target)
            _ = try space.remove(IndexTree.backlinks(of: relation), target, source)
        case .listInsert(let entry):
            let replaced = try space.put(
                IndexTree.list(of: entry.relation), bytes: entry.forwardKey.span, entry.target)
            // No engine writes that; a forged log must not leave a backlink behind.
            if let replaced, replaced != entry.target {
                var other = entry
                other.target = replaced
                _ = try space.remove(
                    IndexTree.listBacklinks(of: entry.relation), bytes: other.backwardKey.span)
            }
            _ = try space.put(
                IndexTree.listBacklinks(of: entry.relation), bytes: entry.backwardKey.span,
                entry.source)
        case .listRemove(let entry):
            _ = try space.remove(
                IndexTree.list(of: entry.relation), bytes: entry.forwardKey.span)
            _ = try space.remove(
                IndexTree.listBacklinks(of: entry.relation), bytes: entry.backwardKey.span)
        }
    }
}

extension AppliedState {
    /// Only trees from a snapshot can contradict their counts.
    @inline(never)
    static func contradiction(_ what: String) -> DaybookError {
        DaybookError(
            .corruption, "The indexes contradict themselves: \(what).",
            details: ["snapshot": "pages"])
    }
}

extension EntityCount {
    /// Counts an object more or less.
    mutating func add(_ change: Int64, to entity: UInt32) throws(DaybookError) {
        let count = Int64(clamping: objectCount) + change
        guard count >= 0 else {
            throw AppliedState.contradiction("entity \(entity) has fewer objects than none")
        }
        objectCount = UInt64(count)
    }
}

extension IndexChange {
    /// The entity whose counts it may change.
    var entity: UInt32? {
        switch self {
        case .put(let entity, _, _), .remove(let entity, _, _), .reserve(let entity, _): entity
        case .link, .unlink, .listInsert, .listRemove: nil
        }
    }
}
