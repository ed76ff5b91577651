import DaybookEngine
public import DaybookRows

extension Store {
    /// The schema of the store: all entities that it contains, declared by this program or not.
    ///
    /// A read-only store may have new entities after ``refresh()``. Throws `.closed`. Cost: linear
    /// in the size of the schema.
    public var schema: StoreSchema { get throws { try types.schema() } }

    /// Returns the objects of an entity without their types: see ``RowBox``.
    ///
    /// The store may be opened without any type. Throws `.invalidArgument` for an entity that the
    /// store does not have, with the nearest name, and for events and embedded types; `.closed`.
    public func rows(of entityName: String) throws -> RowBox { try RowBox(entityName, types) }

    /// Returns a query in the text language, such as
    /// `Person where age > 18 order by name limit 10`. The guide <doc:Command> has the language.
    ///
    /// `arguments` are the values for the question marks of the text, in their order:
    /// `store.query("Person where name == ?", arguments: ["Ann"])`. A `?` may be written for any
    /// literal, and its value cannot change the rest of the query.
    ///
    /// Throws `.invalidArgument` for an error in the text, for another number of arguments, and for
    /// an argument that is a collection. The message shows the line with a marker under the place,
    /// and `details` has the place as `line`, `column` and `offset`. Throws `.closed`.
    public func query(_ text: String, arguments: [RowValue] = []) throws -> RowQuery {
        try RowQuery(text, arguments, types)
    }
}

extension StoreView {
    /// Returns the objects of an entity in this version, without their types: see ``RowBox``.
    /// Throws as ``Store/rows(of:)``.
    public func rows(of entityName: String) throws -> RowBox { try RowBox(entityName, types) }

    /// Returns a query over this version, in the text language. Throws as
    /// ``Store/query(_:arguments:)``.
    ///
    /// Names are those of the newest layouts, as in the store.
    public func query(_ text: String, arguments: [RowValue] = []) throws -> RowQuery {
        try RowQuery(text, arguments, types)
    }
}
