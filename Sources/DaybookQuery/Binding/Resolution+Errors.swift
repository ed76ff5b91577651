import DaybookBytes
import DaybookRecords

// Errors in conditions. The messages contain the remedy.
extension Resolution {
    static func invalid(_ message: String, _ path: String) -> DaybookError {
        DaybookError(.invalidArgument, message, details: path.isEmpty ? [:] : ["path": path])
    }

    static func unknown(
        _ name: String, in entity: QueryModel.Entity, _ path: PropertyPath
    ) -> DaybookError {
        let names = entity.members.keys.filter { !$0.isEmpty }.sorted()
        var message = "'\(entity.name).\(name.prefix(100))' is not a property"
        if path.steps.count > 1 { message += " (in '\(path.description.prefix(200))')" }
        if let near = NearName.nearest(to: name, among: names) {
            message += "; did you mean '\(near)'?"
        } else if names.isEmpty {
            message += ", and \(entity.name) has none."
        } else {
            let some = names.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
            message += ". \(entity.name) has: \(some)\(names.count > 20 ? ", …" : "")."
        }
        return DaybookError(
            .invalidArgument, message,
            details: ["entity": entity.name, "property": name, "path": path.description])
    }

    static func wrongFamily(
        _ one: ResolvedExpression, _ other: ResolvedExpression
    ) -> DaybookError {
        invalid(
            "\(one.name) is \(one.article), and \(other.name) is \(other.article): the two cannot"
                + " be compared. Compare it with \(one.family.remedy).", one.name)
    }

    static func wrongOperator(
        _ value: ResolvedExpression, _ what: String, _ remedy: String
    ) -> DaybookError {
        invalid("\(value.name) is \(value.article), and \(what). \(remedy)", value.name)
    }
}

extension ResolvedExpression {
    /// The kind of value, for messages.
    var article: String {
        if case .objects(let relation) = form {
            return relation.isToOne ? "a relation to one object" : "a relation to many objects"
        }
        guard let type, family == .number else { return family.rawValue }
        return type == .decimal ? "a decimal number" : "a number (\(type.name))"
    }
}
