/// The rules by which a new snapshot uses groups of older files instead of copying them.
package struct SnapshotBaseRules {
    /// The minimum length in bytes of a used file.
    let lengthMin: Int
    /// Whether a file still has its name, so that a reader of the new snapshot finds it.
    let isAvailable: (SnapshotBase) -> Bool

    package init(lengthMin: Int, isAvailable: @escaping (SnapshotBase) -> Bool) {
        self.lengthMin = lengthMin
        self.isAvailable = isAvailable
    }

    /// The new snapshot uses no other file.
    package static var none: SnapshotBaseRules {
        SnapshotBaseRules(lengthMin: .max) { _ in false }
    }
}
