import DaybookBytes
import DaybookQuery

extension Property {
    /// A property of that name that is not in the store, because a comment keeps it out. A
    /// condition or an order with it is `.invalidArgument` where a query is built or run.
    public init(unstored name: String) {
        var term = PropertyTerm(.property(PropertyPath([name])))
        term.failure = DaybookError(
            .invalidArgument,
            "'\(name)' of '\(Root.self)' is transient: it is not in the store, and nothing can be"
                + " asked about it.",
            details: ["property": name])
        self.init(term, NoConversion<Value>())
    }

    /// As the other, for a property whose type only the compiler knows.
    public init(_ path: KeyPath<Root, Value>, unstored name: String) { self.init(unstored: name) }
}
