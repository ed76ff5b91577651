package import DaybookBytes
package import DaybookRecords

/// The targets of an object in one relation.
package struct LinkTargets: Sendable, Equatable {
    /// The ids: ascending, in the order of a list, or in the order of the keys of a map.
    package var ids: [UInt64]
    /// The keys of a map, in the order of ``ids``; nil for a relation without keys.
    package var keys: [String]?

    init(ids: [UInt64]) { self.ids = ids }

    /// Throws `.corruption` for a position that is not a key.
    init(keyed links: [ListElement]) throws(DaybookError) {
        ids = links.map(\.target)
        keys = try links.map { link throws(DaybookError) in try link.key }
    }
}

extension ListElement {
    /// The key of a link of a map. Throws `.corruption` for a position that is not a key, which
    /// only a forged log contains.
    package var key: String {
        get throws(DaybookError) {
            if let key = LinkKey.key(of: position) { return key }
            throw DaybookError(
                .corruption,
                "A map of objects contains an invalid key. Restore the store from a backup.",
                details: ["target": String(target)])
        }
    }
}

extension ReadScope {
    /// The targets of an object in a relation. Throws `.corruption`.
    package func targets(
        of relation: Schema.Relation, from id: UInt64
    ) throws(DaybookError) -> LinkTargets {
        switch relation.type {
        case .objects: LinkTargets(ids: try list(relation.relationID, id).map(\.target))
        case .keyedObjects: try LinkTargets(keyed: try list(relation.relationID, id))
        default: LinkTargets(ids: try links(of: LinkEnd(relation, isBackward: false, id: id)))
        }
    }
}
