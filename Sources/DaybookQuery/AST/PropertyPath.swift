/// A path of names from an object to a value, through relations and embedded values to a property.
package struct PropertyPath: Sendable, Hashable, CustomStringConvertible {
    /// The step that denotes the object's id. No property has this name.
    package static let id = ""

    /// One name for each step; the last is a property or ``id``.
    package var steps: [String]

    package init(_ steps: [String]) { self.steps = steps }

    /// The path to the object's own id.
    package static let ownId = PropertyPath([id])

    /// The path in dot notation: `customer.address.city`.
    package var description: String {
        steps.map { $0 == Self.id ? "id" : $0 }.joined(separator: ".")
    }

    /// The path that continues with `other`.
    package func appending(_ other: PropertyPath) -> PropertyPath {
        PropertyPath(steps + other.steps)
    }
}
