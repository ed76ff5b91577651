import Daybook
import DaybookTesting

/// An object with a vector, with a handwritten description.
struct Spot: Entity, Equatable {
    var id: Id = 0
    var group: Int32 = 0
    var position: [Float]?

    static let entityDescription = EntityDescription(
        "Spot",
        [
            .property("group", Int32.self, .index),
            .property(
                "position", [Float]?.self,
                .vector(
                    dimensions: 3, metric: .euclidean, neighborsPerNode: 5,
                    indexingSearchCount: 24)),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Spot {
        Spot(id: row.id, group: try row.read(0), position: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(group, at: 0)
        try row.write(position, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var group: Property<Spot, Int32> { Property("group") }
    static var position: Property<Spot, [Float]?> { Property("position") }

    static func random(_ generator: inout SeededGenerator, id: Id = 0) -> Spot {
        var spot = Spot(id: id, group: Int32.random(in: 0..<40, using: &generator))
        if Int.random(in: 0..<8, using: &generator) > 0 { spot.position = vector(&generator) }
        return spot
    }

    static func vector(_ generator: inout SeededGenerator) -> [Float] {
        (0..<3).map { _ in Float.random(in: -10...10, using: &generator) }
    }

    func distance(to vector: [Float]) -> Double? {
        guard let position, !position.isEmpty else { return nil }
        var sum = 0.0
        for (one, other) in zip(position, vector) { sum += Double((one - other) * (one - other)) }
        return sum.squareRoot()
    }
}

/// An object with the vector of a text, in a common number of dimensions.
struct Passage: Entity, Equatable {
    var id: Id = 0
    var embedding: [Float] = []

    static let entityDescription = EntityDescription(
        "Passage",
        [.property("embedding", [Float].self, .vector(dimensions: 768, metric: .cosine))])
    static func decode(_ row: borrowing RowReader) throws -> Passage {
        Passage(id: row.id, embedding: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(embedding, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var embedding: Property<Passage, [Float]> { Property("embedding") }
}

/// The same object without the index.
struct PlainSpot: Entity {
    var id: Id = 0
    var group: Int32 = 0
    var position: [Float]?

    static let entityDescription = EntityDescription(
        "Spot",
        [
            .property("group", Int32.self, .index), .property("position", [Float]?.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> PlainSpot {
        PlainSpot(id: row.id, group: try row.read(0), position: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(group, at: 0)
        try row.write(position, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var position: Property<PlainSpot, [Float]?> { Property("position") }
}

/// A place with its latitude and longitude.
struct City: Entity, Equatable {
    var id: Id = 0
    var name = ""
    var place: [Float] = []

    static let entityDescription = EntityDescription(
        "City",
        [
            .property("name", String.self),
            .property("place", [Float].self, .vector(dimensions: 2, metric: .geo)),
        ])
    static func decode(_ row: borrowing RowReader) throws -> City {
        City(id: row.id, name: try row.read(0), place: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(place, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var place: Property<City, [Float]> { Property("place") }
}
