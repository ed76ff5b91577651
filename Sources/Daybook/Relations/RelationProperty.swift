import DaybookEngine

/// A relation in a property of an object. A put of the object writes its links beside the row.
protocol RelationProperty {
    /// Adds the link changes that a put of the host must write, and a closure that updates the
    /// relation after the put.
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws
}

/// A relation that the encoder of an object passed to a ``RowWriter``.
struct WrittenRelation {
    var place: RelationPlace
    var relation: any RelationProperty
}

/// The object whose relation a put writes, and the place of the relation.
struct GraphHost {
    /// The index of the object in the graph; its id if the put does not write the object.
    var end: EncodedGraph.End
    /// The relation, as seen from the object.
    var relation: BoundRelation
    var place: RelationPlace
    /// Whether the object is new, so that the store has no links of it.
    var isNew: Bool
    /// The id of the object before the put.
    var id: Id
    /// The types of the store, which attach the relations of the object.
    var types: StoreTypes

    /// The attachment that identifies these links; nil if the object has no id yet.
    var attachment: Attachment? { Attachment(types, place, host: id) }

    /// Whether an attachment identifies exactly these links.
    func isHost(of attachment: Attachment?) -> Bool {
        guard let attachment, let own = self.attachment else { return false }
        return attachment.isSame(as: own)
    }

    /// The attachment that replaces one whose store was closed and opened again; nil if the old
    /// attachment is still valid.
    func renewed(_ attachment: Attachment?) -> Attachment? {
        attachment?.types.engine === types.engine ? nil : self.attachment
    }

    /// The attachment that identifies these links after the host is put.
    func attachment(after outcome: GraphOutcome) -> Attachment? {
        Attachment(types, place, host: outcome.id(of: end))
    }

    /// Throws `.relationOfAnotherStore` if the relation was read from another store.
    func requireSameStore(_ attachment: Attachment?) throws {
        guard let attachment, !attachment.isSameStore(as: types.engine) else { return }
        throw DaybookError(
            .relationOfAnotherStore,
            "'\(relation.name)' of '\(relation.entityName)' was read from another store, whose ids"
                + " identify other objects. Create a new relation to objects of this store.",
            details: ["entity": relation.entityName, "property": relation.name])
    }

    /// The error for a target that has no id and is not in memory.
    func unsaved(_ target: any Entity.Type, _ details: [String: String] = [:]) -> DaybookError {
        var details = details
        details["entity"] = relation.entityName
        details["property"] = relation.name
        return DaybookError(
            .cannotRelateToUnsaved,
            "Property '\(relation.name)' of '\(relation.entityName)' refers to a \(target) that is"
                + " not stored yet. Put that object first, so that it has an id, or use the object"
                + " itself with ToOne or ToMany.", details: details)
    }
}

/// The objects for which a relation was put before its last put for another object. Such an object
/// is an original whose copy was put, or the copy.
///
/// A later put for the object writes only the changes since, so links that other programs added
/// stay. Memory: the ids of the links of the last 16 objects. The put for an older object replaces
/// its links, like the put of a relation that was assigned to the object.
struct FormerHosts {
    /// The links of an object, as far as the relation knows them.
    struct Links {
        var ids: Set<Id>
        /// The ``MemberList/replaceCount`` of the list at the put.
        var replaceCount: Int

        /// The links that a list changes; nil if the list was replaced since the put, so that it
        /// replaces all links.
        func ids(changedBy replaceCount: Int) -> Set<Id>? {
            replaceCount == self.replaceCount ? ids : nil
        }
    }

    private static let countMax = 16
    private var hosts: [(attachment: Attachment, links: Links)] = []

    /// The links that the relation knows of an object; nil if it was not put for the object.
    func links(of host: GraphHost) -> Links? {
        hosts.first { host.isHost(of: $0.attachment) }?.links
    }

    /// Notes that the relation was put for `host` and, before that, belonged to `former`.
    mutating func change(from former: Attachment, _ links: Links, to host: GraphHost) {
        hosts.removeAll { host.isHost(of: $0.attachment) || $0.attachment.isSame(as: former) }
        if hosts.count == Self.countMax { hosts.removeFirst() }
        hosts.append((former, links))
    }
}
