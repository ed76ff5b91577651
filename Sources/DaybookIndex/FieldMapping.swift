/// Where the fields that a program wants stand in a layout, made once per layout: so a row of an
/// older layout is read as if it had the new one.
package struct FieldMapping: Sendable, Equatable {
    private static let absent: Int32 = -1

    private let indexes: [Int32]
    /// Whether each wanted field stands at its own index, and the layout has no others.
    package let isIdentity: Bool

    /// Maps by name.
    package init(names: [String], in layout: EntityLayout) {
        let places = Dictionary(
            layout.fields.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first })
        self.init(names.map { places[$0] }, fieldCount: layout.fields.count)
    }

    /// Maps by the numbers of properties, which have the same meaning in all layouts of an entity.
    package init(propertyIDs: [UInt32], in layout: EntityLayout) {
        let places = Dictionary(
            layout.fields.enumerated().map { ($1.propertyID, $0) },
            uniquingKeysWith: { first, _ in first })
        self.init(propertyIDs.map { places[$0] }, fieldCount: layout.fields.count)
    }

    private init(_ places: [Int?], fieldCount: Int) {
        indexes = places.map { $0.map { Int32($0) } ?? Self.absent }
        isIdentity = places.count == fieldCount && places.enumerated().allSatisfy { $0 == $1 }
    }

    /// How many fields are wanted.
    package var count: Int { indexes.count }

    /// The index in the layout of the wanted field at `index`, or nil where the layout has none.
    package subscript(index: Int) -> Int? {
        let place = indexes[index]
        return place == Self.absent ? nil : Int(place)
    }
}
