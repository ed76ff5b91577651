import DaybookBytes
import DaybookQuery

extension Property {
    /// Creates a property that is not stored, because a comment at its declaration excludes it. A
    /// condition or a sort key with it throws `.invalidArgument` when a query is built or run.
    public init(unstored name: String) {
        var term = PropertyTerm(.property(PropertyPath([name])))
        term.failure = DaybookError(
            .invalidArgument,
            "'\(name)' of '\(Root.self)' is transient: it is not stored, so queries cannot use it.",
            details: ["property": name])
        self.init(term, NoConversion<Value>())
    }

    /// Creates a property that is not stored, and whose type is inferred by the compiler. Same as
    /// ``init(unstored:)``.
    public init(_ path: KeyPath<Root, Value>, unstored name: String) { self.init(unstored: name) }
}
