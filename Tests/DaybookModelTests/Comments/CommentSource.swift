#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// The source of one type, with the annotations in the comments of the type and of its properties.
struct CommentSource {
    let entity: EntityAnnotations
    /// The annotations by the first name of each declaration.
    let properties: [String: PropertyAnnotations]
    /// Each problem as `line:column message`, in the order of the source.
    let problems: [String]
    let fixItTitles: [String]
    /// The source after all fix-its were applied.
    let fixed: String

    init(_ source: String) {
        let file = Parser.parse(source: source)
        var diagnostics: [Diagnostic] = []
        var entity = EntityAnnotations()
        var properties: [String: PropertyAnnotations] = [:]
        for statement in file.statements {
            guard let group = statement.item.asProtocol((any DeclGroupSyntax).self) else {
                continue
            }
            let (annotations, problems) = CommentAnnotations.entity(group)
            entity = annotations
            diagnostics += problems
            for member in group.memberBlock.members {
                guard let variable = member.decl.as(VariableDeclSyntax.self),
                    let name = variable.bindings.first?.pattern.trimmedDescription
                else { continue }
                let (annotations, problems) = CommentAnnotations.property(variable)
                properties[name] = annotations
                diagnostics += problems
            }
        }
        self.entity = entity
        self.properties = properties
        diagnostics.sort { $0.position < $1.position }
        let converter = SourceLocationConverter(fileName: "", tree: file)
        problems = diagnostics.map { diagnostic in
            let location = diagnostic.location(converter: converter)
            return "\(location.line):\(location.column) \(diagnostic.message)"
        }
        let fixIts = diagnostics.flatMap(\.fixIts)
        fixItTitles = fixIts.map(\.message.message)
        fixed = ReadSource.applying(fixIts.flatMap(\.edits), to: source)
    }

    /// Returns the annotations of a comment above a property.
    static func property(_ comment: String) -> (annotations: PropertyAnnotations?, [String]) {
        let read = CommentSource("struct Note {\n\(comment)\nvar a = 1\n}")
        return (read.properties["a"], read.problems)
    }
}

extension PropertyAnnotations {
    /// Returns default annotations with a change.
    static func with(_ change: (inout PropertyAnnotations) -> Void) -> PropertyAnnotations {
        var annotations = PropertyAnnotations()
        change(&annotations)
        return annotations
    }
}
#endif
