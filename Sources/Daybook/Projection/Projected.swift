/// Says which property of the object a property of a projection stands for.
///
/// The path may lead through embedded values and on to computed properties of values: its first
/// step is read from the store, the others are taken in Swift. One that can be written is written
/// back by ``Projections/update(_:_:)``.
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

    /// Stands for what is at the end of a path.
    public init(_ path: KeyPath<Root, Value>) { value = nil }

    /// Stands for what is at the end of a path; nil in a projection that was not read.
    public init(_ path: KeyPath<Root, Value>) where Value: ExpressibleByNilLiteral {
        value = .some(nil)
    }

    /// Stands for what is at the end of a path, with a value for projections that were not read.
    public init(wrappedValue: Value, _ path: KeyPath<Root, Value>) { value = wrappedValue }

    /// The value. Projections that the store made have one. In one that you made yourself, reading
    /// it is a programming error that traps, as long as it has none.
    public var wrappedValue: Value {
        get {
            guard let value else {
                preconditionFailure(
                    "A projected \(Value.self) was used before it had a value. Give the property"
                        + " one where you make the projection yourself.")
            }
            return value
        }
        set { value = newValue }
    }
}

extension Projected: Sendable where Value: Sendable {}

extension Projected: Equatable where Value: Equatable {
    /// Whether the values are equal.
    public static func == (one: Projected, other: Projected) -> Bool { one.value == other.value }
}

extension Projected: Hashable where Value: Hashable {
    /// Takes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
