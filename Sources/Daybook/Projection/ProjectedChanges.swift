import DaybookBytes

/// The differences between a projection and its object, collected before any of them is written. So
/// two properties of a projection may map to the same property of the object; the changed one takes
/// effect.
public struct ProjectedChanges<Root> {
    private let root: Root
    private var writes: [(inout Root) -> Void] = []

    /// Creates an empty set of changes to a stored object.
    public init(of root: Root) { self.root = root }

    /// Records the value of a projected property if it differs from the object's value.
    ///
    /// A value that is not `Equatable` is always recorded if its path is writable, and ignored
    /// otherwise. Throws `.invalidArgument` with the property's name if a value differs and its
    /// path is not writable.
    public mutating func note<Value>(
        _ value: Value, at path: KeyPath<Root, Value>, named name: String
    ) throws {
        let isEqual = Equality.of(value, root[keyPath: path])
        if isEqual == true { return }
        if let path = path as? WritableKeyPath<Root, Value> {
            writes.append { $0[keyPath: path] = value }
        } else if isEqual == false {
            throw DaybookError(
                .invalidArgument,
                "'\(name)' was changed and cannot be written back, because it is computed or"
                    + " follows an optional. Change the object itself.",
                details: ["property": name, "entity": "\(Root.self)"])
        }
    }

    /// Writes the recorded values into the object.
    public consuming func make(in root: inout Root) {
        for write in writes { write(&root) }
    }
}

/// Compares values whose `Equatable` conformance may be known only at run time.
private enum Equality {
    /// Returns nil if the values cannot be compared. Two values that are not equal to themselves,
    /// such as NaN, count as equal.
    static func of<Value>(_ one: Value, _ other: Value) -> Bool? {
        guard let type = Value.self as? any Equatable.Type else { return nil }
        return compare(one, other, as: type)
    }

    private static func compare<Value, E: Equatable>(
        _ one: Value, _ other: Value, as type: E.Type
    ) -> Bool? {
        guard let one = one as? E, let other = other as? E else { return nil }
        return one == other || (one != one && other != other)
    }
}
