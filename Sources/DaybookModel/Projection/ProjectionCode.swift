#if Macros
/// The generated Swift code of a projection, with names and format as in ``EntityCode``.
///
/// It is only an extension, so it is the same in the declaration's file and in another file.
package struct ProjectionCode {
    private let model: ProjectionModel

    /// Prepares the code for `model`.
    package init(_ model: ProjectionModel) { self.model = model }

    /// The extension. `statingConformance` is false if the declaration states it.
    package func extensionText(statingConformance: Bool) -> String {
        let conformance = statingConformance ? ": Daybook.EntityProjection" : ""
        let members =
            model.isClass
            ? [projectingInitializer, properties, fill, apply]
            : [initializer, projectingInitializer, properties, decode, apply]
        return """
            nonisolated extension \(model.qualifiedName)\(conformance) {
            \(members.map(indented).joined(separator: "\n\n"))
            }
            """
    }

    /// Properties with a wrapper are last: they are assigned after all others have a value.
    private var ordered: [ProjectionModel.Property] {
        model.properties.filter { !$0.isMarked } + model.properties.filter(\.isMarked)
    }

    /// The assignments of the values of a row to the properties of an instance.
    private func reads(_ instance: String) -> [String] {
        ordered.map { property in
            let value =
                switch property.source {
                case .identity: ".init(objectId: row.id)"
                case .path(let spelling, let name, let rest):
                    "try row.read(\\\(model.root).\(spelling), named: \"\(name)\")\(rest)"
                }
            return "\(instance).\(property.spelling) = \(value)"
        }
    }

    private var initializer: String {
        function(
            "init(row: borrowing Daybook.ProjectionReader<\(model.root)>) throws", reads("self"))
    }

    /// The initializer from an object or embedded value in memory.
    private var projectingInitializer: String {
        let assignments = ordered.map { property in
            let value =
                switch property.source {
                case .identity: ".init(objectId: root.entityId)"
                case .path(let spelling, _, let rest): "root.\(spelling)\(rest)"
                }
            return "self.\(property.spelling) = \(value)"
        }
        let head = "init(projecting root: \(model.root))"
        return model.isClass
            ? function("convenience \(head)", ["self.init(of: root)"] + assignments)
            : function(head, assignments)
    }

    /// The names of the properties that the projection reads, each once.
    private var properties: String {
        var names: [String] = []
        for property in ordered {
            guard case .path(_, let name, _) = property.source, !names.contains(name) else {
                continue
            }
            names.append(name)
        }
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return function("static var projectedProperties: [String]?", ["[\(list)]"])
    }

    private var decode: String {
        """
        \(access)static func decode(
            _ row: borrowing Daybook.ProjectionReader<\(model.root)>
        ) throws -> Self {
            try Self(row: row)
        }
        """
    }

    private var fill: String {
        """
        \(access)static func decode(
            _ row: borrowing Daybook.ProjectionReader<\(model.root)>
        ) throws -> Self {
            let object = Self(row: row)
        \(reads("object").map { "    \($0)\n" }.joined())    return object
        }
        """
    }

    private var apply: String {
        let notes = model.properties.compactMap { property -> String? in
            guard !property.isConstant, case .path(let spelling, _, let rest) = property.source
            else { return nil }
            return
                "try changes.note(self.\(property.spelling), at: \\\(model.root).\(spelling)\(rest)"
                + ", named: \"\(property.name)\")"
        }
        let head = "func apply(to root: inout \(model.root)) throws"
        guard !notes.isEmpty else { return "\(access)\(head) {}" }
        let begin = "var changes = Daybook.ProjectedChanges(of: root)"
        return function(head, [begin] + notes + ["changes.make(in: &root)"])
    }

    private var access: String {
        model.access == .inherited ? "" : model.access.rawValue + " "
    }

    private func function(_ head: String, _ statements: [String]) -> String {
        guard !statements.isEmpty else { return "\(access)\(head) {}" }
        return """
            \(access)\(head) {
            \(statements.map { "    " + $0 }.joined(separator: "\n"))
            }
            """
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }
            .joined(separator: "\n")
    }
}
#endif
