package import DaybookPages

/// The ids of the page trees. Snapshots contain these numbers: never renumber.
package enum IndexTree {
    /// 0 → (sequence of the last applied transaction, 0); entity → (next id, number of objects).
    package static let entities: TreeID = 1
    /// index → (the next id to build, or the highest number when it is complete; entity). See
    /// ``IndexState``.
    package static let indexes: TreeID = 2
    /// (index, object): objects missing in an index, because their rows are unreadable.
    package static let unread: TreeID = 8
    /// The sequence of a transaction that erases versions → (1 if the erasure is finished, 0).
    package static let erasures: TreeID = 9
    private static let objectsBase: TreeID = 0x1000_0000
    private static let linksBase: TreeID = 0x2000_0000
    /// Above the links: a relation has two trees.
    private static let indexBase: TreeID = 0x4000_0000
    private static let listsBase: TreeID = 0x6000_0000
    /// Above the lists: a relation has two trees.
    private static let textsBase: TreeID = 0x8000_0000
    private static let vectorsBase: TreeID = 0x9000_0000
    private static let vectorIdsBase: TreeID = 0xA000_0000
    private static let vectorLinksBase: TreeID = 0xB000_0000
    /// The maximum number of an entity, relation or index that tree ids allow. Higher numbers in
    /// bytes are rejected.
    package static let entityMax: UInt32 = 0x0FFF_FFFF

    /// id → ``ObjectEntry``.
    package static func objects(of entity: UInt32) -> TreeID { objectsBase + entity }
    /// (source, target) of a relation.
    package static func links(of relation: UInt32) -> TreeID { linksBase + relation * 2 }
    /// (target, source) of a relation.
    package static func backlinks(of relation: UInt32) -> TreeID { linksBase + relation * 2 + 1 }

    /// Whether a tree contains the links of a relation, in either direction.
    static func isLinks(_ tree: TreeID) -> Bool { tree >= linksBase && tree < indexBase }

    /// (source, position) → target, of a list relation; see ``ListEntry``.
    package static func list(of relation: UInt32) -> TreeID { listsBase + relation * 2 }
    /// (target, source, position) → source.
    package static func listBacklinks(of relation: UInt32) -> TreeID {
        listsBase + relation * 2 + 1
    }

    /// Whether a tree contains the elements of lists, in either direction.
    static func isLists(_ tree: TreeID) -> Bool { tree >= listsBase && tree < textsBase }

    /// The relation whose links or list elements a tree contains by their sources, if it is such a
    /// tree.
    package static func relation(ofForwardLinks tree: TreeID) -> UInt32? {
        guard isLinks(tree) || isLists(tree) else { return nil }
        let number = tree - (isLists(tree) ? listsBase : linksBase)
        return number.isMultiple(of: 2) ? number / 2 : nil
    }

    /// The entries of a property index; see ``IndexPlan/Index/Form``.
    package static func index(_ index: UInt32) -> TreeID { indexBase + index }

    /// The index whose entries, texts or vectors a tree contains, if it is such a tree.
    static func indexNumber(of tree: TreeID) -> UInt32? {
        if tree > textsBase { return tree & entityMax }
        return tree > indexBase && tree < listsBase ? tree - indexBase : nil
    }

    /// 0 → (number of texts with words, number of their words); id → (number of words in the text
    /// of the object, 0), of a text index. See ``TextTotals``.
    package static func texts(of index: UInt32) -> TreeID { textsBase + index }

    /// The nodes of the graph of a vector index; see ``VectorTrees``.
    static func vectors(of index: UInt32) -> TreeID { vectorsBase + index }
    /// The slots of objects in a vector index.
    static func vectorIds(of index: UInt32) -> TreeID { vectorIdsBase + index }
    /// The links of the graph of a vector index.
    static func vectorLinks(of index: UInt32) -> TreeID { vectorLinksBase + index }
}
