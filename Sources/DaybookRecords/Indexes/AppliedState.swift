package import DaybookBytes
package import DaybookPages

/// Applies transactions to the page trees. Equal records give equal trees, whether they come from a
/// commit or from the log.
package struct AppliedState: Sendable {
    /// The counts of each entity after the last applied transaction.
    package internal(set) var counts: [UInt32: EntityCount] = [:]
    /// The state of each index.
    package internal(set) var indexes: [UInt32: IndexState] = [:]
    /// The index numbers of each entity.
    var indexNumbers: [UInt32: [UInt32]] = [:]
    /// The transactions that erase versions, and whether their erasures are finished.
    package private(set) var erasures: [UInt64: Bool] = [:]
    /// The sequence of the last applied transaction.
    package private(set) var sequence: UInt64 = 0

    /// Starts with empty trees.
    package init() {}

    /// Continues from the trees of `reader`.
    ///
    /// Throws errors of reading them, and `.corruption` with `details["snapshot"]` if they contain
    /// impossible numbers.
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
        var erased = try reader.words(IndexTree.erasures)
        while let entry = try erased.next() { erasures[entry.key] = entry.value.first != 0 }
        indexes = try Self.indexStates(in: reader)
        for (index, state) in indexes { indexNumbers[state.entity, default: []].append(index) }
    }

    /// Applies one transaction, between `begin` and `end` of the space. Throws errors of reading
    /// pages, and `.corruption` with `details["snapshot"]` if the counts contradict the trees. The
    /// trees are then partly changed and must be rebuilt.
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

    /// Notes the state of an erasure. An erasure with several records is finished if all are.
    package mutating func noteErasure(
        _ sequence: UInt64, isFinished: Bool, in space: PageSpace
    ) throws(DaybookError) {
        erasures[sequence] = isFinished
        _ = try space.put(
            IndexTree.erasures, sequence, WordValue(first: isFinished ? 1 : 0, second: 0))
    }

    private mutating func apply(
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
        case .erasure(let isFinished):
            let isWhole = isFinished && (erasures[sequence] ?? true)
            try noteErasure(sequence, isFinished: isWhole, in: space)
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
            // The engine never writes this, but a forged log must not leave a stale backlink.
            try removeBacklink(of: entry, to: replaced, from: space)
            _ = try space.put(
                IndexTree.listBacklinks(of: entry.relation), bytes: entry.backwardKey.span,
                entry.source)
        case .listRemove(let entry):
            let removed = try space.remove(
                IndexTree.list(of: entry.relation), bytes: entry.forwardKey.span)
            // In a repaired log, the record that put another element there may be missing.
            try removeBacklink(of: entry, to: removed, from: space)
            _ = try space.remove(
                IndexTree.listBacklinks(of: entry.relation), bytes: entry.backwardKey.span)
        }
    }

    /// Removes the backlink of an element that another record has replaced.
    private func removeBacklink(
        of entry: ListEntry, to target: UInt64?, from space: PageSpace
    ) throws(DaybookError) {
        guard let target, target != entry.target else { return }
        var other = entry
        other.target = target
        _ = try space.remove(
            IndexTree.listBacklinks(of: entry.relation), bytes: other.backwardKey.span)
    }
}

extension AppliedState {
    /// Only trees from a damaged snapshot can contradict their counts.
    @inline(never)
    static func contradiction(_ what: String) -> DaybookError {
        DaybookError(
            .corruption, "The indexes are inconsistent: \(what).",
            details: ["snapshot": "pages"])
    }
}

extension EntityCount {
    /// Changes the object count.
    mutating func add(_ change: Int64, to entity: UInt32) throws(DaybookError) {
        let count = Int64(clamping: objectCount) + change
        guard count >= 0 else {
            throw AppliedState.contradiction("entity \(entity) has a negative number of objects")
        }
        objectCount = UInt64(count)
    }
}

extension IndexChange {
    /// The entity whose counts the change may affect.
    var entity: UInt32? {
        switch self {
        case .put(let entity, _, _), .remove(let entity, _, _), .reserve(let entity, _): entity
        case .link, .unlink, .listInsert, .listRemove, .erasure: nil
        }
    }
}
