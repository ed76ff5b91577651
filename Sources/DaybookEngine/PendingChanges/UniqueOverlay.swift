import DaybookRecords

/// The owners of keys in unique indexes that a running transaction has changed.
struct UniqueOverlay {
    private struct Place: Hashable {
        var index: UInt32
        var key: [UInt8]
    }

    private struct Step {
        /// The operation that made the change.
        var operation: Int
        var place: Place
        var before: UInt64?
    }

    /// Represents a free key.
    private static let nobody: UInt64 = 0

    private var owners: [Place: UInt64] = [:]
    /// The changes, for rollback.
    private var steps: [Step] = []

    /// The owner of a key; nil if the transaction has not changed it, ``Owner/nobody`` if it has
    /// freed the key.
    func owner(_ index: UInt32, _ key: IndexKey) -> Owner? {
        guard !owners.isEmpty, let id = owners[Place(index: index, key: key.bytes)] else {
            return nil
        }
        return id == Self.nobody ? .nobody : .object(id)
    }

    enum Owner: Equatable {
        case nobody
        case object(UInt64)
    }

    /// Sets the owner of a key, or frees it.
    mutating func set(
        _ index: UInt32, _ key: IndexKey, _ owner: Owner, operation: Int
    ) {
        let place = Place(index: index, key: key.bytes)
        steps.append(Step(operation: operation, place: place, before: owners[place]))
        switch owner {
        case .nobody: owners[place] = Self.nobody
        case .object(let id): owners[place] = id
        }
    }

    /// Rolls back the changes of the operations from `operation` on.
    mutating func roll(backTo operation: Int) {
        while let last = steps.last, last.operation >= operation {
            owners[last.place] = last.before
            steps.removeLast()
        }
    }
}
