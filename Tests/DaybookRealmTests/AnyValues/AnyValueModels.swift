import DaybookRealm

/// An object with the same value in two properties. The extension contains what the macro
/// generates.
class Finding: Object {
    @Persisted var plain: AnyRealmValue
    @Persisted(indexed: true) var indexed: AnyRealmValue

    convenience init(_ value: AnyRealmValue) {
        self.init()
        plain = value
        indexed = value
    }
}

extension Finding: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Finding",
        [
            .property("plain", AnyRealmValue.self),
            .property("indexed", AnyRealmValue.self, .index),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.plain = try row.read(0)
        object.indexed = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self.plain, at: 0)
        try row.write(self.indexed, at: 1)
    }
    static var plain: Property<Finding, AnyRealmValue> { Property("plain") }
    static var indexed: Property<Finding, AnyRealmValue> { Property("indexed") }
}

/// A value that no other object of the class has.
class Label: Object {
    @Persisted var value: AnyRealmValue
    var finding: ToOne<Finding> = nil
}

extension Label: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Label",
        [
            .property("value", AnyRealmValue.self, .unique), .property("finding", \Label.finding),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.value = try row.read(0)
        object.finding = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self.value, at: 0)
        try row.write(self.finding, at: 1)
    }
    static var value: Property<Label, AnyRealmValue> { Property("value") }
}

/// The version of ``Finding`` before it had a second property.
class EarlierFinding: Object {
    @Persisted var plain: AnyRealmValue
}

extension EarlierFinding: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Finding", [.property("plain", AnyRealmValue.self)])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.plain = try row.read(0)
        return object
    }
    func encode(into row: inout RowWriter) throws { try row.write(self.plain, at: 0) }
}
