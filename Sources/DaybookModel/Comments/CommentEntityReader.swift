#if Macros
internal import SwiftSyntax

/// Reads the annotations of a type.
struct CommentEntityReader {
    private(set) var annotations = EntityAnnotations()
    var problems = CommentProblems()
    private var seen: Set<CommentName> = []

    mutating func read(_ statement: CommentStatement) {
        for (name, annotation) in problems.known(statement, at: .type, seen: &seen) {
            let problem =
                switch name {
                case .entity: annotation.mark { annotations.isEntity = true }
                case .embedded: annotation.mark { annotations.isEmbedded = true }
                case .event: annotation.mark { annotations.isEvent = true }
                case .name: annotation.name { annotations.storedName = $0 }
                case .uid: annotation.uid { annotations.uid = $0 }
                case .renamedFrom: annotation.names { annotations.formerNames += $0 }
                case .expires: annotation.expiry { annotations.expiries = [$0] }
                case .index:
                    annotation.columns(option: "kind", among: CommentName.indexKinds) {
                        annotations.indexes.append(.init(names: $0, kind: $1))
                    }
                case .unique:
                    annotation.columns(option: "onConflict", among: CommentName.conflicts) {
                        annotations.uniques.append(.init(names: $0, onConflict: $1))
                    }
                case .primaryKey:
                    annotation.columns { names, _ in annotations.primaryKey = names }
                default: annotation.unsuitable
                }
            if let problem { problems.report(problem, at: annotation.range, in: statement.node) }
        }
    }
}
#endif
