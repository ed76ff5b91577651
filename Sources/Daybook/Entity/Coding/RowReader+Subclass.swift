import DaybookBytes

extension RowReader {
    /// The object, if it is of the type that is asked for: for code that makes an object of a class
    /// whose subclasses need not have its initialiser.
    ///
    /// Throws `.invalidArgument` where a subclass is asked for, which is no entity of its own.
    public static func exactly<Made, Wanted>(
        _ object: Made, as type: Wanted.Type
    ) throws -> Wanted {
        if let object = object as? Wanted { return object }
        throw DaybookError(
            .invalidArgument,
            "\(type) inherits its place in the store from \(Made.self), and is no entity of its"
                + " own. Make it one that does not inherit, or open the store with \(Made.self).",
            details: ["type": String(describing: type)])
    }
}
