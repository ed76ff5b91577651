import DaybookEngine

/// What a put does when an object with the same primary key is there.
public enum UpsertPolicy: Sendable {
    /// It throws `.uniqueViolation`, and nothing is changed.
    case error
    /// It replaces the object if a property differs; else nothing is written.
    case modified
    /// It replaces the object.
    case all

    var policy: DaybookEngine.UpsertPolicy {
        switch self {
        case .error: .error
        case .modified: .modified
        case .all: .all
        }
    }
}

/// What a put is asked to do, beside what it puts.
struct PutRequest: Sendable {
    var mode = PutMode.put
    var upsert = UpsertPolicy.all
    /// The commit that the object must not have been changed after.
    var unchangedSince: UInt64?
}
