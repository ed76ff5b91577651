import DaybookBytes

/// What differs between a projection and its object, gathered before any of it is written: so two
/// properties of a projection may stand for one of the object, and the one that was changed counts.
public struct ProjectedChanges<Root> {
    private let root: Root
    private var writes: [(inout Root) -> Void] = []

    /// Begins with an object as it is stored.
    public init(of root: Root) { self.root = root }

    /// Notes the value of a projected property, if it differs from the object's.
    ///
    /// A value that cannot be compared is noted where it can be written, and left alone where it
    /// cannot. Throws `.invalidArgument`, naming the property, where a value differs and its path
    /// cannot be written.
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
                "'\(name)' was changed, and cannot be written back: it is computed, or passes an"
                    + " optional. Change the object itself.",
                details: ["property": name, "entity": "\(Root.self)"])
        }
    }

    /// Writes what was noted into the object.
    public consuming func make(in root: inout Root) {
        for write in writes { write(&root) }
    }
}

/// Compares values whose types may be known to be comparable at run time only.
private enum Equality {
    /// Nil for values that cannot be compared. What is unequal to itself, such as a NaN, counts as
    /// equal to the like.
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
