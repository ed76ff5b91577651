/// Which operation of a running transaction is the last on each object.
///
/// Ids that this transaction gave out itself are looked up by counting; all others by hash.
struct PendingObjects {
    private struct Key: Hashable {
        var entity: UInt32
        var id: UInt64
    }

    private struct Fresh {
        var entity: UInt32
        /// The first id that was free when the transaction began.
        var firstId: UInt64
        var operations: [Int32] = []
    }

    private var known: [Key: Int] = [:]
    private var fresh: [Fresh] = []

    /// The last operation on an object.
    func find(_ entity: UInt32, _ id: UInt64) -> Int? {
        if let group = fresh.last(where: { $0.entity == entity }), id >= group.firstId,
            id - group.firstId < UInt64(group.operations.count)
        {
            let operation = group.operations[Int(id - group.firstId)]
            return operation < 0 ? nil : Int(operation)
        }
        return known.isEmpty ? nil : known[Key(entity: entity, id: id)]
    }

    /// Whether the transaction touched any object of an entity, or did before it took that back.
    func hasAny(_ entity: UInt32) -> Bool {
        fresh.contains { $0.entity == entity } || known.contains { $0.key.entity == entity }
    }

    /// Makes `operation` the last on an object, or none with nil.
    mutating func set(_ entity: UInt32, _ id: UInt64, _ operation: Int?, firstFreeId: UInt64) {
        let key = Key(entity: entity, id: id)
        if id >= firstFreeId, known.isEmpty || known[key] == nil {
            let place = fresh.firstIndex { $0.entity == entity } ?? fresh.count
            if place == fresh.count { fresh.append(Fresh(entity: entity, firstId: firstFreeId)) }
            let index = id - fresh[place].firstId
            if index < UInt64(fresh[place].operations.count) {
                fresh[place].operations[Int(index)] = Int32(operation ?? -1)
                return
            }
            // Ids are given out one after another; a chosen id far ahead goes by hash.
            if index == UInt64(fresh[place].operations.count) {
                fresh[place].operations.append(Int32(operation ?? -1))
                return
            }
        }
        known[key] = operation
    }

    /// The ids of an entity that the transaction touched, with their last operation.
    func all(_ entity: UInt32) -> [(id: UInt64, operation: Int)] {
        var found: [(id: UInt64, operation: Int)] = []
        for (key, operation) in known where key.entity == entity {
            found.append((key.id, operation))
        }
        for group in fresh where group.entity == entity {
            for (index, operation) in group.operations.enumerated() where operation >= 0 {
                found.append((group.firstId + UInt64(index), Int(operation)))
            }
        }
        return found
    }
}
