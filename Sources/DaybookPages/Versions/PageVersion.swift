/// One state of all trees: the transaction that made it, and the page where its catalog begins.
package struct PageVersion: Sendable, Hashable {
    /// The number of the newest transaction in it; 0 before the first.
    package let sequence: UInt64
    /// The root page of the catalog, which maps tree ids to trees; 0 when there are none.
    package let catalog: UInt32

    package init(sequence: UInt64, catalog: UInt32) {
        self.sequence = sequence
        self.catalog = catalog
    }
}
