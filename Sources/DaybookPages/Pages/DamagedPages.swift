internal import DaybookBytes

/// The errors of a walk that meets what it must not meet.
///
/// Pages that contradict each other can only have come from a snapshot, so all of these say that it
/// is one that is damaged: then an older one, or the log, gives the state.
enum DamagedPages {
    /// What `details["snapshot"]` says of pages that are whole, each by itself, and contradict each
    /// other.
    static let part = "pages"

    /// A page is of another kind or level than its parent says.
    @inline(never)
    static func wrongPage(_ number: UInt32) -> DaybookError {
        DaybookError(
            .corruption, "The indexes are damaged: page \(number) is not what its parent says.",
            details: ["snapshot": part, "page": "\(number)"])
    }

    /// A page is referred to and not there.
    @inline(never)
    static func missingPage(_ number: UInt32) -> DaybookError {
        DaybookError(
            .corruption, "The indexes are damaged: page \(number) is referred to and not there.",
            details: ["snapshot": part, "page": "\(number)"])
    }

    /// The catalog's entry of a tree stands for none.
    @inline(never)
    static func wrongRecord(_ tree: TreeID) -> DaybookError {
        DaybookError(
            .corruption, "The indexes are damaged: the record of tree \(tree) makes no sense.",
            details: ["snapshot": part, "tree": "\(tree)"])
    }

    /// A tree is used as one of another kind.
    @inline(never)
    static func wrongKind(_ tree: TreeID, is kind: PageKind, usedAs wanted: PageKind)
        -> DaybookError
    {
        DaybookError(
            .corruption, "Tree \(tree) holds \(kind) and is used as one of \(wanted).",
            details: ["snapshot": part, "tree": "\(tree)"])
    }
}
