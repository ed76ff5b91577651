internal import DaybookBytes

/// The errors of a walk that meets what it must not meet.
enum DamagedPages {
    /// A page is of another kind or level than its parent says.
    @inline(never)
    static func wrongPage(_ number: UInt32) -> DaybookError {
        DaybookError(
            .corruption, "The indexes are damaged: page \(number) is not what its parent says.",
            details: ["page": "\(number)"])
    }

    /// A tree is used as one of another kind.
    @inline(never)
    static func wrongKind(_ tree: TreeID, is kind: PageKind, usedAs wanted: PageKind)
        -> DaybookError
    {
        DaybookError(
            .corruption, "Tree \(tree) holds \(kind) and is used as one of \(wanted).",
            details: ["tree": "\(tree)"])
    }
}
