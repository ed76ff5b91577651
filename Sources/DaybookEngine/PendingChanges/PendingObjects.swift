/// The last operation of a running transaction on each object.
///
/// Ids that this transaction assigned are looked up by index; all others by hash.
struct PendingObjects {
    /// The operations on the objects of one entity.
    private struct Touched {
        let entity: UInt32
        /// The first id that was free when the transaction began.
        let firstFreeId: UInt64
        /// The last operations by id, starting at `firstFreeId`; negative for none.
        var fresh: [Int32] = []
        var known: [UInt64: Int] = [:]

        func find(_ id: UInt64) -> Int? {
            if id >= firstFreeId, id - firstFreeId < UInt64(fresh.count) {
                let operation = fresh[Int(id - firstFreeId)]
                return operation < 0 ? nil : Int(operation)
            }
            return known.isEmpty ? nil : known[id]
        }

        mutating func set(_ id: UInt64, _ operation: Int?) {
            if id >= firstFreeId, known.isEmpty || known[id] == nil {
                let index = id - firstFreeId
                if index < UInt64(fresh.count) {
                    fresh[Int(index)] = Int32(operation ?? -1)
                    return
                }
                // Ids are assigned consecutively; a chosen id far ahead is stored by hash.
                if index == UInt64(fresh.count) {
                    fresh.append(Int32(operation ?? -1))
                    return
                }
            }
            known[id] = operation
        }
    }

    private var entities: [Touched] = []

    /// The last operation on an object.
    func find(_ entity: UInt32, _ id: UInt64) -> Int? {
        place(of: entity).flatMap { entities[$0].find(id) }
    }

    /// Whether the transaction has changed any object of an entity, even if the change was rolled
    /// back.
    func hasAny(_ entity: UInt32) -> Bool { place(of: entity) != nil }

    /// Sets the last operation on an object; nil removes it.
    mutating func set(_ entity: UInt32, _ id: UInt64, _ operation: Int?, firstFreeId: UInt64) {
        if let place = place(of: entity) { return entities[place].set(id, operation) }
        entities.append(Touched(entity: entity, firstFreeId: firstFreeId))
        entities[entities.count - 1].set(id, operation)
    }

    /// The ids of an entity that the transaction changed, with their last operations.
    func all(_ entity: UInt32) -> [(id: UInt64, operation: Int)] {
        guard let place = place(of: entity) else { return [] }
        let touched = entities[place]
        var found: [(id: UInt64, operation: Int)] = []
        found.reserveCapacity(touched.known.count + touched.fresh.count)
        for (id, operation) in touched.known { found.append((id, operation)) }
        for (index, operation) in touched.fresh.enumerated() where operation >= 0 {
            found.append((touched.firstFreeId + UInt64(index), Int(operation)))
        }
        return found
    }

    /// The index of an entity. Most transactions use few entities.
    private func place(of entity: UInt32) -> Int? {
        entities.lastIndex { $0.entity == entity }
    }
}
