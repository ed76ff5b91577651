import DaybookRecords

/// Whose the keys of unique indexes are in a running transaction, where it has changed that.
struct UniqueOverlay {
    private struct Place: Hashable {
        var index: UInt32
        var key: [UInt8]
    }

    private struct Step {
        /// The operation that it is part of.
        var operation: Int
        var place: Place
        var before: UInt64?
    }

    /// Stands for an owner where a key is free.
    private static let nobody: UInt64 = 0

    private var owners: [Place: UInt64] = [:]
    /// What was changed, to be taken back.
    private var steps: [Step] = []

    /// The owner of a key; nil where the transaction has not changed it, ``Owner/nobody`` where it
    /// has freed it.
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

    /// An object gives up a key, or takes it.
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

    /// Takes back what the operations from that one on have changed.
    mutating func roll(backTo operation: Int) {
        while let last = steps.last, last.operation >= operation {
            owners[last.place] = last.before
            steps.removeLast()
        }
    }
}
