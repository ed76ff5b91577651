/// A state of all trees: the sequence of its newest transaction, and the root of its catalog.
package struct PageVersion: Sendable, Hashable {
    /// The sequence of the newest transaction; 0 before the first.
    package let sequence: UInt64
    /// The root page of the catalog, which maps tree ids to trees; 0 when there are none.
    package let catalog: UInt32

    package init(sequence: UInt64, catalog: UInt32) {
        self.sequence = sequence
        self.catalog = catalog
    }
}
