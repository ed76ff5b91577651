#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// Reads Daybook's attributes of a type.
struct EntityAttributes {
    private(set) var diagnostics: [Diagnostic] = []

    /// The annotations of each of Daybook's attributes, in order.
    mutating func read(_ attributes: AttributeListSyntax) -> [EntityAnnotations] {
        attributes.plain.compactMap { attribute in
            let arguments = AttributeArguments(attribute)
            if let mark = Mark(attribute) { return read(mark, arguments, of: attribute) }
            var found = EntityAnnotations()
            switch attribute.nameInDaybook {
            case "Entity":
                found.isEntity = true
                if let name = arguments.labeled("name") {
                    found.storedName = string(name, attribute)
                }
                if let property = arguments.labeled("expires"),
                    let name = string(property, attribute)
                {
                    let after = arguments.labeled("after")?.trimmedDescription
                    found.expiries = [EntityAnnotations.Expiry(name: name, after: after)]
                }
            case "Embedded": found.isEmbedded = true
            case "Event": found.isEvent = true
            default: return nil
            }
            return found
        }
    }

    private mutating func read(
        _ mark: Mark, _ arguments: AttributeArguments, of attribute: AttributeSyntax
    ) -> EntityAnnotations {
        var found = EntityAnnotations()
        switch mark {
        case .name: found.storedName = string(arguments.unlabeled.first, attribute)
        case .renamed: found.formerNames = strings(arguments.run(labeled: "from"), attribute)
        case .primaryKey: found.primaryKey = strings(arguments.unlabeled, attribute)
        case .index:
            var columns = EntityAnnotations.Columns()
            columns.names = strings(arguments.unlabeled, attribute)
            columns.kind = arguments.labeled("kind")?.memberName
            if !columns.names.isEmpty { found.indexes = [columns] }
        case .unique:
            var columns = EntityAnnotations.Columns()
            columns.names = strings(arguments.unlabeled, attribute)
            columns.onConflict = arguments.labeled("onConflict")?.memberName
            if !columns.names.isEmpty { found.uniques = [columns] }
        case .id, .transient, .convert, .nanoseconds, .encoded, .relation, .backlink, .vector:
            break  // The attribute itself says that it is misplaced.
        }
        return found
    }

    private mutating func strings(
        _ values: [ExprSyntax], _ attribute: AttributeSyntax
    ) -> [String] {
        values.compactMap { string($0, attribute) }
    }

    private mutating func string(_ value: ExprSyntax?, _ attribute: AttributeSyntax) -> String? {
        if let text = value?.stringText, !text.isEmpty { return text }
        let message = EntityDiagnostic.argumentUnreadable(
            attribute: attribute.attributeName.trimmedDescription,
            expected: "a name in quotation marks")
        diagnostics.append(
            Diagnostic(node: value.map(Syntax.init) ?? Syntax(attribute), message: message))
        return nil
    }
}
#endif
