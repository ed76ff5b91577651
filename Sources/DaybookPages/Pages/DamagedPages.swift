internal import DaybookBytes

/// Errors for pages that contradict each other.
///
/// Only pages from a damaged snapshot can do that. The state can then be restored from an older
/// snapshot or from the log.
enum DamagedPages {
    /// `details["snapshot"]` for pages that are valid on their own but contradict each other.
    static let part = "pages"

    /// The kind or level of a page differs from its parent's entry.
    @inline(never)
    static func wrongPage(_ number: UInt32) -> DaybookError {
        DaybookError(
            .corruption, "The indexes are damaged: page \(number) does not match its parent.",
            details: ["snapshot": part, "page": "\(number)"])
    }

    /// A referenced page does not exist.
    @inline(never)
    static func missingPage(_ number: UInt32) -> DaybookError {
        DaybookError(
            .corruption, "The indexes are damaged: the referenced page \(number) is missing.",
            details: ["snapshot": part, "page": "\(number)"])
    }

    /// The catalog's record of a tree is invalid.
    @inline(never)
    static func wrongRecord(_ tree: TreeID) -> DaybookError {
        DaybookError(
            .corruption, "The indexes are damaged: the record of tree \(tree) is invalid.",
            details: ["snapshot": part, "tree": "\(tree)"])
    }

    /// A tree is accessed as a tree of another kind.
    @inline(never)
    static func wrongKind(_ tree: TreeID, is kind: PageKind, usedAs wanted: PageKind)
        -> DaybookError
    {
        DaybookError(
            .corruption, "Tree \(tree) contains \(kind) and is accessed as a tree of \(wanted).",
            details: ["snapshot": part, "tree": "\(tree)"])
    }
}
