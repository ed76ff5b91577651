#if Macros
/// The generated Swift code of an entity, an embedded type or an event.
///
/// The code qualifies every name of Daybook, so that names of the program cannot shadow it. It is
/// `nonisolated`, so that it compiles in a module with main actor isolation by default. It is
/// formatted for reading.
package struct EntityCode {
    let model: EntityModel
    let placement: CodePlacement

    /// Prepares the code for `model`.
    package init(_ model: EntityModel, placement: CodePlacement = .declaration) {
        self.model = model
        self.placement = placement
    }

    /// The members that must be in the declaration itself: `decode`; for a class also `init(row:)`
    /// and, if the class had an implicit `init()`, that. None for another file.
    package func memberTexts() -> [String] {
        guard placement == .declaration else { return [] }
        let modifiers = accessModifier + "nonisolated "
        let decode = decodeFunction(modifiers: modifiers)
        let inner = namesOfEnclosingTypes ? innerTexts(modifiers: modifiers) : []
        guard model.shape != .structure, model.style == .initializer else {
            return [decode] + inner
        }
        let required = model.shape == .inheritableClass ? "required " : ""
        let row = [rowInitializer(modifiers: modifiers + required), decode] + inner
        switch model.emptyInitializer {
        case .unneeded: return row
        case .needed: return row + ["\(modifiers)init() {}"]
        case .overriding: return row + ["\(modifiers)override init() {}"]
        }
    }

    /// The extension with all other members. `statingConformance` is false if the declaration
    /// itself states `: Entity`.
    package func extensionText(statingConformance: Bool) -> String {
        var members: [String] = []
        if !namesOfEnclosingTypes { members.append(description(modifiers: accessModifier)) }
        if model.shape == .structure { members.append(rowInitializer(modifiers: accessModifier)) }
        if placement == .otherFile { members.append(decodeFunction(modifiers: accessModifier)) }
        if !namesOfEnclosingTypes { members.append(encodeFunction(modifiers: accessModifier)) }
        if let property = entityIdProperty { members.append(property) }
        if let type = idTypeText { members.append(type) }
        if !namesOfEnclosingTypes, let properties = queryPropertiesText {
            members.append(properties)
        }
        let conformance = statingConformance ? ": Daybook.\(model.kind.rawValue)" : ""
        guard !members.isEmpty else {
            return "nonisolated extension \(model.qualifiedName)\(conformance) {}"
        }
        return """
            nonisolated extension \(model.qualifiedName)\(conformance) {
            \(members.map(Self.indented).joined(separator: "\n\n"))
            }
            """
    }

    /// Whether members that name types must be in the declaration: an extension of a nested type
    /// does not see the names in the enclosing types.
    var namesOfEnclosingTypes: Bool { placement == .declaration && isNested }

    /// Whether the declaration is nested in another one.
    var isNested: Bool { model.qualifiedName.contains(".") }

    /// The members that name types, for a nested declaration.
    private func innerTexts(modifiers: String) -> [String] {
        [description(modifiers: modifiers), encodeFunction(modifiers: modifiers)]
            + (model.shape == .structure ? readFunctions : [])
            + (queryPropertiesText.map { [$0] } ?? [])
    }

    var accessModifier: String {
        model.access == .inherited ? "" : model.access.rawValue + " "
    }

    /// The protocol's id property, unless the declaration has it.
    private var entityIdProperty: String? {
        guard !model.declaresEntityId else { return nil }
        let head = "\(accessModifier)var entityId: Daybook.Id"
        switch model.identity {
        case .property(let spelling):
            if let copied = model.copiedProperties { return copyingProperty(spelling, copied) }
            return """
                \(head) {
                    get { self.\(spelling).objectId }
                    set { self.\(spelling) = .init(objectId: newValue) }
                }
                """
        case .hidden:
            // A class has no setter that mutates, and so none that does not.
            let setter = model.shape == .structure ? "nonmutating set" : "set"
            return "\(head) { get { 0 } \(setter) {} }"
        case .inherited, .none:
            return nil
        }
    }

    /// The type of the id, if it is not the default.
    private var idTypeText: String? {
        guard !model.declaresEntityId, case .property = model.identity,
            let type = model.descriptors.first(where: { $0.content == .identity })?.type
        else { return nil }
        let name = type.split(separator: "<").first?.split(separator: ".").last
        switch name {
        case "EntityId":
            let entity = "Daybook.EntityId<\(model.qualifiedName)>"
            return "\(accessModifier)typealias EntityIdType = \(entity)"
        case "Int64": return "\(accessModifier)typealias EntityIdType = Swift.Int64"
        default: return nil
        }
    }

    /// The protocol's id property for a constant id: a change replaces the object by a copy.
    private func copyingProperty(_ identity: String, _ copied: [String]) -> String {
        let assignments =
            ["    self.\(identity) = .init(objectId: entityId)"]
            + copied.map { "    self.\($0) = other.\($0)" }
        return """
            \(accessModifier)var entityId: Daybook.Id {
                get { self.\(identity).objectId }
                set { self = Self(copying: self, entityId: newValue) }
            }

            private init(copying other: Self, entityId: Daybook.Id) {
            \(assignments.joined(separator: "\n"))
            }
            """
    }

    static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }
            .joined(separator: "\n")
    }

    /// A string literal of `name`: a raw identifier may contain a quotation mark.
    static func literal(_ name: String) -> String {
        var escaped = ""
        for character in name {
            if character == "\"" || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
        return "\"\(escaped)\""
    }
}
#endif
