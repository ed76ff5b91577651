import DaybookPages
package import DaybookRecords

/// An object and one end of a relation.
package struct LinkEnd: Sendable, Hashable {
    package let relation: UInt32
    /// Whether the object is the target; the other end has the sources then.
    package let isBackward: Bool
    package let id: UInt64
    /// Whether the links have positions: of a list, or of a map of objects.
    package let isList: Bool

    package init(_ relation: Schema.Relation, isBackward: Bool, id: UInt64) {
        self.init(
            relation: relation.relationID, isBackward: isBackward, id: id,
            isList: relation.type.hasPositions)
    }

    package init(relation: UInt32, isBackward: Bool, id: UInt64, isList: Bool) {
        self.relation = relation
        self.isBackward = isBackward
        self.id = id
        self.isList = isList
    }
}

/// A relation in one direction.
struct LinkSide: Hashable {
    let relation: UInt32
    /// Whether links lead from targets to sources.
    let isBackward: Bool

    /// The tree of the stored links in this direction. Not for lists.
    var tree: TreeID {
        isBackward ? IndexTree.backlinks(of: relation) : IndexTree.links(of: relation)
    }

    /// Orders the ends of a link: the one that the links lead from is first.
    func pair(source: UInt64, target: UInt64) -> (first: UInt64, second: UInt64) {
        isBackward ? (target, source) : (source, target)
    }
}

extension LinkEnd {
    var side: LinkSide { LinkSide(relation: relation, isBackward: isBackward) }
}

/// An element of a list: its position and the id of its object.
package struct ListElement: Sendable, Hashable {
    package var position: [UInt8]
    package var target: UInt64

    package init(position: [UInt8], target: UInt64) {
        self.position = position
        self.target = target
    }
}

/// An element of the new state of a list.
package struct ListPlacement: Sendable, Hashable {
    /// The element's position in the list that the caller read; nil for a new element.
    package var position: [UInt8]?
    package var target: UInt64

    package init(position: [UInt8]?, target: UInt64) {
        self.position = position
        self.target = target
    }
}

/// A relation, seen from the objects of one entity.
struct RelationEnd: Sendable {
    let relation: Schema.Relation
    let isBackward: Bool
    let rules: RemovalRules

    /// The entity of the objects at the other end.
    var otherEntity: UInt32 { isBackward ? relation.entityID : relation.targetEntityID }

    /// The rule for these objects when an object of this end is removed.
    var onRemoval: DeleteRule { isBackward ? rules.onTargetRemoved : rules.onSourceRemoved }

    func end(of id: UInt64) -> LinkEnd {
        LinkEnd(relation, isBackward: isBackward, id: id)
    }
}
