/// One object: `GET /api/object?entity=Person&id=1&at=42`.
struct ObjectDescription: Codable, Sendable, Equatable {
    var entity: String
    /// The id, as decimal digits, because JavaScript rounds large integers.
    var id: String
    /// The commit that wrote this version.
    var sequence: UInt64
    /// The values by property, in the order of the layout.
    var properties: [NamedValue]
    /// The targets of each relation.
    var relations: [LinkedObjects]
    /// The objects that link to this one, by relation.
    var backlinks: [LinkedObjects]
}

/// The value of a property.
struct NamedValue: Codable, Sendable, Equatable {
    var name: String
    var value: ShownValue
}

/// The ids at the other end of a relation, or of a backlink.
struct LinkedObjects: Codable, Sendable, Equatable {
    /// The name of the relation; for a backlink, the relation of `entity`.
    var name: String
    /// The entity of the objects.
    var entity: String
    /// The first ids, as decimal digits.
    var ids: [String]
    /// The keys of a map of objects, in the order of `ids`; empty for other relations.
    var keys: [String]
    /// The number of all linked objects; nil if there are more than the page counts.
    var count: Int?
}

/// A part of the objects of an entity in the order of their ids:
/// `GET /api/objects?entity=Person&after=0&limit=100&at=42`.
struct ObjectPage: Codable, Sendable, Equatable {
    /// The names of the values, in the order of the values of each row.
    var columns: [String]
    var rows: [ObjectLine]
    /// The value of `after` for the next page; nil for the last page.
    var next: String?
    /// The number of all objects of the entity at that moment.
    var count: UInt64
}

/// An object in a table, or a row of selected values.
struct ObjectLine: Codable, Sendable, Equatable {
    /// The id; nil for a row of selected values.
    var id: String?
    /// The values, in the order of the columns. Relations with one target are `Entity:id`.
    var values: [ShownValue]
}

/// The result of a query: `GET /api/query?text=Person%20where%20age%20%3E%2018&limit=100&at=42`.
struct QueryResult: Codable, Sendable, Equatable {
    /// The entity of the objects.
    var entity: String
    /// Whether the rows are objects. Otherwise they are selected values, totals or groups.
    var areObjects: Bool
    var columns: [String]
    var rows: [ObjectLine]
    /// Whether there are more rows than `limit`.
    var hasMore: Bool
}

/// A step of the plan of a query: `GET /api/plan?text=…&at=42`.
struct PlanStep: Codable, Sendable, Equatable {
    /// The step in words.
    var text: String
    /// The index that it uses.
    var index: String?
    /// The expected number of objects.
    var estimate: Int?
    /// The number of objects that it found.
    var found: Int?
    var steps: [PlanStep]
}
