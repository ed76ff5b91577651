import DaybookEngine

/// What becomes of objects and relations when they are put. It stays where the objects are.
struct GraphReceipts {
    /// Objects of classes, by their places in the graph.
    var objects: [(place: Int, object: any Entity)] = []
    /// Settles a relation, and returns how to take that back; with the place of its host.
    var relations: [(host: Int?, settle: (GraphOutcome) -> (() -> Void)?)] = []

    /// Settles what was committed.
    func settle(_ outcome: GraphOutcome) {
        setIds(outcome)
        for settle in due(outcome) { _ = settle(outcome) }
    }

    /// Settles what will be committed with a transaction. Returns the ids that objects had, for the
    /// case that the put itself fails. Where a transaction around it fails, they keep the new ones,
    /// so that they may be put again; what their relations wrote is to be written again then.
    func settle(
        _ outcome: GraphOutcome, in transaction: WriteTransaction
    ) -> [(object: any Entity, before: Id)] {
        let before = setIds(outcome)
        for settle in due(outcome) {
            if let undo = settle(outcome) { transaction.whenAbandoned(undo) }
        }
        return before
    }

    /// What is to be done, but for the objects that were left out.
    private func due(_ outcome: GraphOutcome) -> some Sequence<(GraphOutcome) -> (() -> Void)?> {
        relations.lazy.filter { $0.host.map { !outcome.ignored.contains($0) } ?? true }
            .map(\.settle)
    }

    /// Gives the objects their ids. Returns those that had another, with that.
    @discardableResult
    private func setIds(_ outcome: GraphOutcome) -> [(object: any Entity, before: Id)] {
        var changed: [(object: any Entity, before: Id)] = []
        for (place, object) in objects {
            let before = object.entityId
            guard before != outcome.ids[place] else { continue }
            Self.setId(of: object, to: outcome.ids[place])
            changed.append((object, before))
        }
        return changed
    }

    static func setId(of object: any Entity, to id: Id) {
        var object = object
        object.entityId = id
    }
}
