import DaybookRecords

/// What becomes of the objects at the other end of a relation when an object is removed.
public enum DeleteRule: Sendable {
    /// They stay, and do not relate to it any more.
    case nullify
    /// They are removed, too, in the same transaction.
    case cascade
    /// They stay, and so must the object: the removal is `.relationDenied`.
    case deny

    var rule: DaybookRecords.DeleteRule {
        switch self {
        case .nullify: .nullify
        case .cascade: .cascade
        case .deny: .deny
        }
    }
}
