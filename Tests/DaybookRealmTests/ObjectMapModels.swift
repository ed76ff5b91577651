import DaybookRealm

// Gardens and their plants in Realm's spelling. The extensions contain what the macro generates.

class Plant: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "plants") var gardens: LinkingObjects<Garden>
    /// The same backlink, as a relation that can be changed.
    var keepers: ToMany<Garden> = nil

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

extension Plant: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Plant", [.property("name", String.self)],
        .backlink("gardens", \Garden.plants, "plants"),
        .backlink("keepers", \Garden.plants, "plants"))
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.name = try row.read(0)
        object.gardens = row.backlink(0)
        object.keepers = row.backlink(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self.name, at: 0)
        try row.write(self.gardens, backlink: 0)
        try row.write(self.keepers, backlink: 1)
    }
    static var name: Property<Plant, String> { Property("name") }
    static var gardens: Property<Plant, LinkingObjects<Garden>> { Property("gardens") }
}

class Garden: Object {
    @Persisted var name = ""
    @Persisted var plants: Map<String, Plant?>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }

    /// The names of the plants by their keys.
    var names: [String: String] {
        Dictionary(uniqueKeysWithValues: plants.map { ($0.key, $0.value?.name ?? "?") })
    }
}

extension Garden: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Garden",
        [.property("name", String.self), .property("plants", Map<String, Plant?>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.name = try row.read(0)
        object.plants = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self.name, at: 0)
        try row.write(self.plants, at: 1)
    }
    static var name: Property<Garden, String> { Property("name") }
    static var plants: Property<Garden, Map<String, Plant?>> { Property("plants") }
}

/// The entity `Garden` with a list in place of the map.
class GardenWithList: Object {
    @Persisted var plants: List<PlantOfList>
}

class PlantOfList: Object {}

extension PlantOfList: Daybook.Entity {
    static let entityDescription = EntityDescription("Plant", [])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        return object
    }
    func encode(into row: inout RowWriter) throws {}
}

extension GardenWithList: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Garden", [.property("plants", List<PlantOfList>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.plants = try row.read(0)
        return object
    }
    func encode(into row: inout RowWriter) throws { try row.write(self.plants, at: 0) }
}
