package import DaybookPages

/// Which page tree holds what. Snapshots name trees by these numbers: never renumber.
package enum IndexTree {
    /// 0 → (sequence of the last applied transaction, 0); entity → (next id, number of objects).
    package static let entities: TreeID = 1
    /// index → (the next id to build, or the highest number once it is complete; entity). See
    /// ``IndexState``.
    package static let indexes: TreeID = 2
    /// (index, object): objects that an index has not, for their rows could not be read.
    package static let unread: TreeID = 8
    private static let objectsBase: TreeID = 0x1000_0000
    private static let linksBase: TreeID = 0x2000_0000
    /// Above the links: a relation has two trees.
    private static let indexBase: TreeID = 0x4000_0000
    private static let listsBase: TreeID = 0x6000_0000
    /// The highest number of an entity, relation or index that the trees' numbers leave room for:
    /// what comes from bytes is refused above it.
    package static let entityMax: UInt32 = 0x0FFF_FFFF

    /// id → ``ObjectEntry``.
    package static func objects(of entity: UInt32) -> TreeID { objectsBase + entity }
    /// (source, target) of a relation.
    package static func links(of relation: UInt32) -> TreeID { linksBase + relation * 2 }
    /// (target, source) of a relation.
    package static func backlinks(of relation: UInt32) -> TreeID { linksBase + relation * 2 + 1 }

    /// Whether a tree holds the links of a relation, in either direction.
    static func isLinks(_ tree: TreeID) -> Bool { tree >= linksBase && tree < indexBase }

    /// (source, position) → target, of a relation to lists; see ``ListEntry``.
    package static func list(of relation: UInt32) -> TreeID { listsBase + relation * 2 }
    /// (target, source, position) → source.
    package static func listBacklinks(of relation: UInt32) -> TreeID {
        listsBase + relation * 2 + 1
    }

    /// Whether a tree holds the elements of lists, in either direction.
    static func isLists(_ tree: TreeID) -> Bool { tree >= listsBase }

    /// The entries of an index of properties; see ``IndexPlan/Index/Form``.
    package static func index(_ index: UInt32) -> TreeID { indexBase + index }

    /// The index whose entries a tree holds, if it is such a tree.
    static func indexNumber(of tree: TreeID) -> UInt32? {
        tree > indexBase && tree < listsBase ? tree - indexBase : nil
    }
}
