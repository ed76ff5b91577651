import DaybookRecords

/// One object, and a relation seen from it.
package struct LinkEnd: Sendable, Hashable {
    package var relation: UInt32
    /// Whether the object is the target, and its sources are asked for.
    package var isBackward: Bool
    package var id: UInt64
    /// Whether the relation is one to lists. What asks an engine or a transaction need not say it.
    package var isList: Bool

    package init(relation: UInt32, isBackward: Bool, id: UInt64, isList: Bool = false) {
        self.relation = relation
        self.isBackward = isBackward
        self.id = id
        self.isList = isList
    }
}

/// An element of a list: where it stands, and which object it is.
package struct ListElement: Sendable, Hashable {
    package var position: [UInt8]
    package var target: UInt64

    package init(position: [UInt8], target: UInt64) {
        self.position = position
        self.target = target
    }
}

/// An element of a list as it is to be.
package struct ListPlacement: Sendable, Hashable {
    /// Where it stood in the list that the caller knows; nil for one that is new.
    package var position: [UInt8]?
    package var target: UInt64

    package init(position: [UInt8]?, target: UInt64) {
        self.position = position
        self.target = target
    }
}

/// A relation, as objects of one entity see it.
struct RelationEnd: Sendable {
    let relation: Schema.Relation
    let isBackward: Bool
    let rules: RemovalRules

    /// The entity of the objects at the other end.
    var otherEntity: UInt32 { isBackward ? relation.entityID : relation.targetEntityID }

    /// What becomes of them when an object of this end is removed.
    var onRemoval: DeleteRule { isBackward ? rules.onTargetRemoved : rules.onSourceRemoved }

    /// Whether one at the other end that loses its last link is removed.
    var removesOrphans: Bool {
        isBackward ? rules.removesOrphanSources : rules.removesOrphanTargets
    }

    func end(of id: UInt64) -> LinkEnd {
        LinkEnd(relation: relation.relationID, isBackward: isBackward, id: id)
    }

    /// The same link, from the other end.
    func otherEnd(of id: UInt64) -> LinkEnd {
        LinkEnd(relation: relation.relationID, isBackward: !isBackward, id: id)
    }
}
