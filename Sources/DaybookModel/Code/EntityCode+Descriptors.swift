#if Macros
extension EntityCode {
    /// The type of the properties in conditions; its members appear as static members of the
    /// entity. Nil for an entity without properties.
    ///
    /// They are not static members, because the macro would then have to declare arbitrary names.
    /// For a type with such a macro, the compiler (6.3, swiftlang/swift issue 84691) no longer
    /// accepts `==` and `<`.
    ///
    /// Where the type is written a member is computed, which compiles faster; else it is stored, so
    /// that the compiler finds its type.
    var queryPropertiesText: String? {
        guard !model.descriptors.isEmpty else { return nil }
        let members = model.descriptors.map { descriptor in
            let head = descriptor.access.modifier
            let arguments = arguments(of: descriptor)
            guard let type = descriptor.type else {
                let member =
                    descriptor.mayBeLink
                    ? EntityModel.wrapperSpelling(of: descriptor.name) : descriptor.spelling
                let path = "\\\(model.qualifiedName).\(member)"
                return """
                    \(head)let \(descriptor.spelling) = Daybook.Property(\(path), \(arguments))
                    """
            }
            return """
                \(head)var \(descriptor.spelling): \(property(of: type)) {
                    Daybook.Property(\(arguments))
                }
                """
        }
        let lines = members + ["\(accessModifier)init() {}"]
        return """
            \(accessModifier)nonisolated struct QueryProperties: Daybook.QueryableProperties {
            \(lines.map(Self.indented).joined(separator: "\n"))
            }
            """
    }

    /// For conditions that begin with a dot (`.age > 18`): the same once more, as members of the
    /// type of descriptors. nil where there are none.
    ///
    /// Those whose type is not written are left out, because such a member has to state it.
    package func leadingDotText() -> String? {
        let members = model.descriptors.compactMap { descriptor -> String? in
            guard let type = descriptor.type else { return nil }
            return """
                \(descriptor.access.modifier)static var \(descriptor.spelling): \
                \(property(of: type)) {
                    \(model.qualifiedName).QueryProperties().\(descriptor.spelling)
                }
                """
        }
        guard !members.isEmpty else { return nil }
        return """
            nonisolated extension Daybook.Property where Root == \(model.qualifiedName) {
            \(members.map(Self.indented).joined(separator: "\n"))
            }
            """
    }

    private func property(of type: String) -> String {
        "Daybook.Property<\(model.qualifiedName), \(type)>"
    }

    private func arguments(of descriptor: EntityModel.Descriptor) -> String {
        let name = Self.literal(descriptor.name)
        return switch descriptor.content {
        case .identity: "identity: \(name)"
        case .unstored: "unstored: \(name)"
        case .stored(.converter(let type, let stored)):
            "\(name), converting: \(stored).self, with: \(type).convert"
        case .stored(.encoded): "encoded: \(name)"
        case .stored(.nanoseconds): "nanoseconds: \(name)"
        case .stored(.fallback), .stored(nil): name
        }
    }
}
#endif
