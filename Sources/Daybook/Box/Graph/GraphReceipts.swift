import DaybookEngine

/// Updates of objects and relations after a put. Stays in the caller's isolation, as the objects
/// do.
struct GraphReceipts {
    /// Objects of classes, by their places in the graph.
    var objects: [(place: Int, object: any Entity)] = []
    /// Closures that update a relation and return a closure to revert that, with the place of the
    /// relation's host.
    var relations: [(host: Int?, settle: (GraphOutcome) -> (() -> Void)?)] = []

    /// Applies the updates after a commit.
    func settle(_ outcome: GraphOutcome) {
        setIds(outcome.ids)
        for settle in due(outcome) { _ = settle(outcome) }
    }

    /// Applies the updates before the transaction commits. Returns the objects' previous ids, to
    /// restore them if the put itself fails. If an enclosing transaction fails, the objects keep
    /// the new ids, so that they may be put again. The changes of their relations are then pending
    /// again.
    func settle(
        _ outcome: GraphOutcome, in transaction: WriteTransaction
    ) -> [(object: any Entity, before: Id)] {
        let before = setIds(outcome.ids)
        for settle in due(outcome) {
            if let undo = settle(outcome) { transaction.whenAbandoned(undo) }
        }
        return before
    }

    /// The updates to apply, without those of ignored objects.
    private func due(_ outcome: GraphOutcome) -> some Sequence<(GraphOutcome) -> (() -> Void)?> {
        relations.lazy.filter { $0.host.map { !outcome.ignored.contains($0) } ?? true }
            .map(\.settle)
    }

    /// Sets the ids of the objects. Returns the objects whose id changed, with their previous ids.
    @discardableResult
    func setIds(_ ids: [Id]) -> [(object: any Entity, before: Id)] {
        var changed: [(object: any Entity, before: Id)] = []
        for (place, object) in objects {
            let before = object.entityId
            guard before != ids[place] else { continue }
            Self.setId(of: object, to: ids[place])
            changed.append((object, before))
        }
        return changed
    }

    static func setId(of object: any Entity, to id: Id) {
        var object = object
        object.entityId = id
    }
}
