package import DaybookPages

/// Which page tree holds what. Snapshots name trees by these numbers: never renumber.
package enum IndexTree {
    /// 0 → (sequence of the last folded transaction, 0); entity → (next id, number of objects).
    package static let entities: TreeID = 1
    private static let objectsBase: TreeID = 0x1000_0000
    private static let linksBase: TreeID = 0x2000_0000
    /// The highest number of an entity or relation that the trees' numbers leave room for: what
    /// comes from bytes is refused above it.
    package static let entityMax: UInt32 = 0x0FFF_FFFF

    /// id → ``ObjectEntry``.
    package static func objects(of entity: UInt32) -> TreeID { objectsBase + entity }
    /// (source, target) of a relation.
    package static func links(of relation: UInt32) -> TreeID { linksBase + relation * 2 }
    /// (target, source) of a relation.
    package static func backlinks(of relation: UInt32) -> TreeID { linksBase + relation * 2 + 1 }

    /// Whether a tree holds the links of a relation, in either direction.
    static func isLinks(_ tree: TreeID) -> Bool { tree >= linksBase }
}
