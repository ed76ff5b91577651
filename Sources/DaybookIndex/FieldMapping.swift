/// Where the fields that a program wants stand in a layout, made once per layout: so a row of an
/// older layout is read as if it had the new one.
package struct FieldMapping: Sendable, Equatable {
    private static let absent: Int32 = -1

    private let indexes: [Int32]

    /// Maps by name.
    package init(names: [String], in layout: EntityLayout) {
        let places = Dictionary(
            layout.fields.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first })
        indexes = names.map { name in places[name].map { Int32($0) } ?? Self.absent }
    }

    /// How many fields are wanted.
    package var count: Int { indexes.count }

    /// The index in the layout of the wanted field at `index`, or nil where the layout has none.
    package subscript(index: Int) -> Int? {
        let place = indexes[index]
        return place == Self.absent ? nil : Int(place)
    }
}
