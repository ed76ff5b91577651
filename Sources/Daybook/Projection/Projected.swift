/// Maps a property of a projection to a property of the object.
///
/// The path may continue through embedded values to computed properties of values. Its first
/// component is read from the store; the others are evaluated in Swift. If the path is writable,
/// ``Projections/update(_:_:)`` writes the value back.
///
/// ```swift
/// @Projected(\Person.address?.city) var homeCity: String?
/// @Projected(\Person.lastName.localizedUppercase) var lastNameCaps: String
/// @Projected(\Person.addresses.projectTo.city) var cities: [String]
/// ```
@propertyWrapper
public struct Projected<Root, Value> {
    /// Nil until the projection is read.
    private var value: Value?

    /// Maps the property to the value at a path.
    public init(_ path: KeyPath<Root, Value>) { value = nil }

    /// Maps the property to the value at a path. The value is nil in a projection that was not read
    /// from a store.
    public init(_ path: KeyPath<Root, Value>) where Value: ExpressibleByNilLiteral {
        value = .some(nil)
    }

    /// Maps the property to the value at a path, with a value for projections that were not read
    /// from a store.
    public init(wrappedValue: Value, _ path: KeyPath<Root, Value>) { value = wrappedValue }

    /// The value. Projections that were read from a store have one. In a projection that you
    /// created yourself, reading a property without a value is a programming error and traps.
    public var wrappedValue: Value {
        get {
            guard let value else {
                preconditionFailure(
                    "A projected \(Value.self) was used before it had a value. Assign a value to"
                        + " the property of a projection that you create yourself.")
            }
            return value
        }
        set { value = newValue }
    }
}

extension Projected: Sendable where Value: Sendable {}

extension Projected: Equatable where Value: Equatable {
    /// Returns whether the values are equal.
    public static func == (one: Projected, other: Projected) -> Bool { one.value == other.value }
}

extension Projected: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
