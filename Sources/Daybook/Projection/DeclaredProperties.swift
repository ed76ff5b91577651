/// The indexes of an entity's properties in its description, by their Swift names. Determined once
/// per store.
struct DeclaredProperties: Sendable {
    private struct Place: Sendable {
        var index: Int
        var type: PropertyType
    }

    private let places: [String: Place]

    /// Excludes properties with a converter.
    init(_ properties: [PropertyDescription]) {
        var places: [String: Place] = [:]
        for (index, property) in properties.enumerated() where !property.isConverted {
            places[property.declaredName] = Place(index: index, type: property.type)
        }
        self.places = places
    }

    /// Returns the index of a property. Nil if there is no property with the name, or it is not
    /// stored as values of its Swift type are.
    func index(of name: String, storedAs type: PropertyType) -> Int? {
        guard let place = places[name], place.type == type else { return nil }
        return place.index
    }
}
