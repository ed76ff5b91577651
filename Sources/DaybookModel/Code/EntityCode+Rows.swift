#if Macros
extension EntityCode {
    /// The initializer from a row, which assigns each property.
    func rowInitializer(modifiers: String) -> String {
        let lines = assignments(to: "self")
        let head = "\(modifiers)init(row: borrowing Daybook.RowReader) throws"
        guard !lines.isEmpty else { return "\(head) {}" }
        return """
            \(head) {
            \(lines.joined(separator: "\n"))
            }
            """
    }

    /// The protocol's function that creates an object from a row.
    ///
    /// A signature that names the type is valid only inside the type: in an extension, the compiler
    /// rejects it if an enclosing type has a lower access level than the modifier.
    func decodeFunction(modifiers: String) -> String {
        let body: [String]
        switch model.style {
        case .initializer: body = ["    try Self(row: row)"]
        case .assignment:
            let made =
                model.makesSelf
                ? "Self()"
                : "try Daybook.RowReader.exactly(\(model.qualifiedName)(), as: Self.self)"
            body =
                ["    let object = \(made)"] + assignments(to: "object") + ["    return object"]
        }
        return """
            \(modifiers)static func decode(
                _ row: borrowing Daybook.RowReader
            ) throws -> Self {
            \(body.joined(separator: "\n"))
            }
            """
    }

    /// The function that writes every property to a row.
    func encodeFunction(modifiers: String) -> String {
        let head = "\(modifiers)func encode(into row: inout Daybook.RowWriter) throws"
        let writes =
            model.properties.enumerated().map { position, property in
                "    try row.\(write(property, at: position))"
            }
            + model.backlinks.enumerated().map { number, backlink in
                "    try row.write(self.\(backlink.spelling), backlink: \(number))"
            }
        guard !writes.isEmpty else { return "\(head) {}" }
        return """
            \(head) {
            \(writes.joined(separator: "\n"))
            }
            """
    }

    private func assignments(to object: String) -> [String] {
        let backlinks = model.backlinks.enumerated().map { number, backlink in
            let value = "row.backlink(\(number))"
            let name = "\(object).\(backlink.spelling)"
            return backlink.isConstant
                ? "    \(name).replaceContent(with: \(value))" : "    \(name) = \(value)"
        }
        let reads =
            model.properties.enumerated().map { position, property in
                if object == "self", hasReadFunction(property) {
                    let name = property.spelling
                    return "    self.\(name) = try Self.storedValue(\(name): row)"
                }
                let storage = property.storageSpelling
                let value = "try row.\(read(property, at: position))"
                let name = "\(object).\(storage)"
                return property.isConstant
                    ? "    \(name).replaceContent(with: \(value))" : "    \(name) = \(value)"
            } + backlinks
        switch model.identity {
        case .property(let spelling):
            return ["    \(object).\(spelling) = .init(objectId: row.id)"] + reads
        case .inherited: return ["    \(object).entityId = row.id"] + reads
        case .hidden, .none: return reads
        }
    }

    /// Functions that read values whose types an initializer in an extension could not name.
    var readFunctions: [String] {
        model.properties.enumerated().compactMap { position, property in
            guard hasReadFunction(property), let type = property.type else { return nil }
            return """
                nonisolated fileprivate static func storedValue(
                    \(property.spelling) row: borrowing Daybook.RowReader
                ) throws -> \(type) {
                    try row.\(read(property, at: position))
                }
                """
        }
    }

    /// Whether the property needs a read function. The initializer of a class is in the declaration
    /// and does not need them.
    private func hasReadFunction(_ property: EntityModel.Property) -> Bool {
        guard namesOfEnclosingTypes, model.shape == .structure, property.type != nil else {
            return false
        }
        return switch property.conversion {
        case .fallback(let value): !value.hasPrefix(".")
        case .encoded: property.initialValue != nil
        case .converter: true
        case .nanoseconds, nil: false
        }
    }

    private func read(_ property: EntityModel.Property, at position: Int) -> String {
        switch property.conversion {
        case nil: "read(\(position))"
        case .fallback(let value): "read(\(position), default: \(value))"
        case .converter(let type, let stored):
            "read(\(position), converting: \(stored).self, with: \(type).convert)"
        case .encoded:
            "readEncoded(\(position)"
                + (property.initialValue.map { ", default: \($0)" } ?? "") + ")"
        case .nanoseconds: "readNanoseconds(\(position))"
        }
    }

    private func write(_ property: EntityModel.Property, at position: Int) -> String {
        let value = "self.\(property.storageSpelling), at: \(position)"
        return switch property.conversion {
        case nil: "write(\(value))"
        case .fallback(let fallback): "write(\(value), default: \(fallback))"
        case .converter(let type, let stored):
            "write(\(value), converting: \(stored).self, with: \(type).convert)"
        case .encoded: "writeEncoded(\(value))"
        case .nanoseconds: "writeNanoseconds(\(value))"
        }
    }
}
#endif
