/// An object without its type, or a row of the result of a text query.
///
/// The properties have the names of the newest layout. A property that is newer than the stored
/// object is ``RowValue/null``, even if it is not optional.
public struct AnyRow: Sendable, Hashable {
    /// The name of the entity.
    public let entityName: String
    /// The object's id; 0 for a row of selected values, totals or groups.
    public let id: UInt64
    /// The commit that wrote this version of the object; 0 for an object that the running
    /// transaction has changed, and for a row that is not an object.
    public let sequence: UInt64
    /// The names of the values, in the order of the layout or of the selection.
    public let names: [String]
    /// The values, in the order of ``names``.
    public let values: [RowValue]
    /// The ids of the targets of each relation by its name: ascending, in the order of a list, or
    /// in the order of ``keys``. Empty for a row that is not an object.
    public let links: [String: [UInt64]]
    /// The keys of each map of objects by the name of its relation, in the order of the bytes of
    /// their UTF-8. A key belongs to the id at the same place of ``links``.
    public let keys: [String: [String]]

    /// The value with a name; nil if the row has no such value. Cost: linear in the number of
    /// values.
    public subscript(name: String) -> RowValue? { names.firstIndex(of: name).map { values[$0] } }

    package init(
        entityName: String, id: UInt64 = 0, sequence: UInt64 = 0, names: [String],
        values: [RowValue], links: [String: [UInt64]] = [:],
        keys: [String: [String]] = [:]
    ) {
        self.entityName = entityName
        self.id = id
        self.sequence = sequence
        self.names = names
        self.values = values
        self.links = links
        self.keys = keys
    }
}
