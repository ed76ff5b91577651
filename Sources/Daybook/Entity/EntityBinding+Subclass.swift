import DaybookBytes

extension EntityBinding {
    /// Throws `.invalidArgument` for an object of a subclass of `E`, because its own properties
    /// would not be stored.
    @inline(__always)
    func requireExactType<E: Entity>(of object: E) throws(DaybookError) {
        guard E.self is AnyClass else { return }
        let type: any Entity.Type = type(of: object)
        guard type != E.self else { return }
        throw DaybookError(
            .invalidArgument,
            "An object of \(type) cannot be stored as '\(name)': its own properties would be lost."
                + " Make \(E.self) final, or \(type) an entity that does not inherit from it.",
            details: ["entity": name, "type": String(describing: type)])
    }
}
