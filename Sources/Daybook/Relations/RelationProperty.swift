import DaybookEngine

/// A relation as an object has it: what a put of the object finds, beside the row.
protocol RelationProperty {
    /// Notes what a put of its host has to write of it, and what becomes of it then.
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws
}

/// A relation that an object's code gave a writer.
struct WrittenRelation {
    var place: RelationPlace
    var relation: any RelationProperty
}

/// Whose relation is noted.
struct GraphHost {
    /// The object's place in the graph, or its id where it is not put along.
    var end: EncodedGraph.End
    /// The relation's, seen from it.
    var relation: BoundRelation
    var place: RelationPlace
    /// Whether the object cannot have links yet.
    var isNew: Bool
    /// The object's id before the put.
    var id: Id
    /// What attaches relations of it to the store.
    var types: StoreTypes

    /// What stands for these links; nil for an object that has no id yet.
    var attachment: Attachment? { Attachment(types, place, host: id) }

    /// Whether a relation that is attached elsewhere stands for these very links.
    func isHost(of attachment: Attachment?) -> Bool {
        guard let attachment, let own = self.attachment else { return false }
        return attachment.isSame(as: own)
    }

    /// What is to stand for these links instead of an attachment whose store was closed and opened
    /// again since; nil where that is still good.
    func renewed(_ attachment: Attachment?) -> Attachment? {
        attachment?.types.engine === types.engine ? nil : self.attachment
    }

    /// What stands for these links once the host is put.
    func attachment(after outcome: GraphOutcome) -> Attachment? {
        Attachment(types, place, host: outcome.id(of: end))
    }

    /// Throws `.relationOfAnotherStore` for a relation that another store has read.
    func requireSameStore(_ attachment: Attachment?) throws {
        guard let attachment, !attachment.isSameStore(as: types.engine) else { return }
        throw DaybookError(
            .relationOfAnotherStore,
            "'\(relation.name)' of '\(relation.entityName)' was read from another store, where its"
                + " ids mean other objects. Make a new relation, to objects of this store.",
            details: ["entity": relation.entityName, "property": relation.name])
    }

    /// The error of a target that has no id and is not at hand.
    func unsaved(_ target: any Entity.Type, _ details: [String: String] = [:]) -> DaybookError {
        var details = details
        details["entity"] = relation.entityName
        details["property"] = relation.name
        return DaybookError(
            .cannotRelateToUnsaved,
            "Property '\(relation.name)' of '\(relation.entityName)' leads to a \(target) that is"
                + " not stored yet. Put that one first, so that it has an id, or relate to the"
                + " object itself.", details: details)
    }
}
