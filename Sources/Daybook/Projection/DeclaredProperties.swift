/// Where an entity's properties stand in its description, by the names that Swift code has for
/// them. Worked out once for each store.
struct DeclaredProperties: Sendable {
    private struct Place: Sendable {
        var index: Int
        var type: PropertyType
    }

    private let places: [String: Place]

    /// Leaves out those whose values only a converter makes.
    init(_ properties: [PropertyDescription]) {
        var places: [String: Place] = [:]
        for (index, property) in properties.enumerated() where !property.isConverted {
            places[property.declaredName] = Place(index: index, type: property.type)
        }
        self.places = places
    }

    /// The index of a property; nil where there is none of the name, or it is stored in another
    /// way than values of its Swift type are.
    func index(of name: String, storedAs type: PropertyType) -> Int? {
        guard let place = places[name], place.type == type else { return nil }
        return place.index
    }
}
