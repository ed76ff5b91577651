/// A way from an object to one of its values, by names: through relations and embedded values to a
/// property.
package struct PropertyPath: Sendable, Hashable, CustomStringConvertible {
    /// Stands for the object's id, which is no property: no property has this name.
    package static let id = ""

    /// One name for each step; the last is the property, or ``id``.
    package var steps: [String]

    package init(_ steps: [String]) { self.steps = steps }

    /// The path to an object's own id.
    package static let ownId = PropertyPath([id])

    /// The path as people write it: `customer.address.city`.
    package var description: String {
        steps.map { $0 == Self.id ? "id" : $0 }.joined(separator: ".")
    }

    /// The path that goes on after this one.
    package func appending(_ other: PropertyPath) -> PropertyPath {
        PropertyPath(steps + other.steps)
    }
}
