/// Identifies the content of a page among all pages that its space ever has.
///
/// A page number is reused when no version can reach the page, so a name also contains the birth:
/// the sequence of the transaction that created the page. The page does not change after that
/// transaction, and sequences rise. Pages from a snapshot have birth 0, so the name contains the
/// generation of the snapshot, too. So a name from a version, or from the end of a transaction,
/// always identifies the same content. A page that was evicted and loaded again may get another
/// name.
package struct PageName: Hashable, Sendable {
    package let number: UInt32
    /// The generation of the snapshot that the page was loaded from.
    private let generation: UInt32
    package let birth: UInt64

    init(_ number: UInt32, _ page: Page) {
        self.number = number
        generation = page.generation
        birth = page.birth
    }

    /// The name as two numbers.
    package var words: (UInt64, UInt64) { (birth, UInt64(generation) << 32 | UInt64(number)) }
}
