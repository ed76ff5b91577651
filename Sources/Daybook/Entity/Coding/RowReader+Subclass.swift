import DaybookBytes

extension RowReader {
    /// Returns the object, if it has the requested type. For code that creates an object of a class
    /// whose subclasses may lack its initializer.
    ///
    /// Throws `.invalidArgument` if the requested type is a subclass, because a subclass is not an
    /// entity of its own.
    public static func exactly<Made, Wanted>(
        _ object: Made, as type: Wanted.Type
    ) throws -> Wanted {
        if let object = object as? Wanted { return object }
        throw DaybookError(
            .invalidArgument,
            "\(type) inherits its conformance from \(Made.self), so it is not an entity itself."
                + " Declare it as an entity without inheritance, or open the store with"
                + " \(Made.self).",
            details: ["type": String(describing: type)])
    }
}
