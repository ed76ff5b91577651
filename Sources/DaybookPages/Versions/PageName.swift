/// Tells the contents of a page from all others that pages of the same space ever have.
///
/// A page's number is used again once nobody can reach it, so the number alone is no name. Its
/// birth is the transaction that made it: that never changes the page again once it has ended, and
/// sequences rise. Pages from a snapshot have a birth of 0, and come before all others of their
/// number. So a name that was met in a version, or at the end of a transaction, stands for the same
/// contents for ever.
package struct PageName: Hashable, Sendable {
    package let number: UInt32
    package let birth: UInt64

    init(_ number: UInt32, _ page: Page) {
        self.number = number
        birth = page.birth
    }
}
