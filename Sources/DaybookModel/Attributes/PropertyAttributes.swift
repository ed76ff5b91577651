#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// Reads Daybook's attributes of a property.
struct PropertyAttributes {
    private(set) var diagnostics: [Diagnostic] = []
    /// The relation marks that were read.
    private var seen: Set<Mark> = []

    /// The annotations of each of Daybook's attributes, in order.
    mutating func read(_ attributes: AttributeListSyntax) -> [PropertyAnnotations] {
        attributes.plain.compactMap { attribute in
            guard let mark = Mark(attribute), isFirst(mark, attribute) else { return nil }
            return read(mark, AttributeArguments(attribute), of: attribute)
        }
    }

    /// Only one attribute may describe a relation, so that rules cannot contradict each other.
    private mutating func isFirst(_ mark: Mark, _ attribute: AttributeSyntax) -> Bool {
        guard mark == .relation || mark == .backlink, !seen.insert(mark).inserted else {
            return true
        }
        diagnostics.append(
            Diagnostic(
                node: attribute, message: EntityDiagnostic.markTwice(mark: mark),
                fixIts: [EntityFixIt.remove(attribute)]))
        return false
    }

    private mutating func read(
        _ mark: Mark, _ arguments: AttributeArguments, of attribute: AttributeSyntax
    ) -> PropertyAnnotations {
        var found = PropertyAnnotations()
        switch mark {
        case .id:
            found.isIdentity = true
            found.isAssignable = boolean(arguments.labeled("assignable"), attribute)
        case .primaryKey: found.isPrimaryKey = true
        case .name: found.storedName = string(arguments.unlabeled.first, attribute)
        case .index: found.index = member(arguments.unlabeled.first, attribute)
        case .unique: found.unique = member(arguments.labeled("onConflict"), attribute)
        case .vector: found.vector = arguments.written
        case .transient: found.isTransient = true
        case .convert: found.conversion = conversion(arguments, attribute)
        case .nanoseconds: found.conversion = .nanoseconds
        case .encoded: found.conversion = .encoded
        case .renamed:
            found.formerNames = arguments.run(labeled: "from").compactMap { string($0, attribute) }
        case .relation:
            found.isRelation = true
            found.rules = rules(arguments, attribute)
        case .backlink:
            found.backlink = backlink(arguments, attribute)
            found.backlinkTarget = arguments.unlabeled.first?.keyPathTarget
            found.rules = rules(arguments, attribute)
        }
        return found
    }

    private mutating func conversion(
        _ arguments: AttributeArguments, _ attribute: AttributeSyntax
    ) -> PropertyAnnotations.Conversion? {
        if let fallback = arguments.labeled("default") {
            return .fallback(fallback.trimmedDescription)
        }
        guard let converter = arguments.unlabeled.first?.typeText,
            let stored = arguments.labeled("as")?.typeText
        else {
            let expected = "'default: value' or 'Converter.self, as: Stored.self'"
            report(expected, of: attribute, at: attribute)
            return nil
        }
        return .converter(type: converter, stored: stored)
    }

    private mutating func backlink(
        _ arguments: AttributeArguments, _ attribute: AttributeSyntax
    ) -> String? {
        let argument = arguments.unlabeled.first
        if let name = argument?.keyPathName { return name }
        if let name = argument?.stringText, name.isPropertyName { return name }
        report("a key path or a name in quotation marks", of: attribute, at: argument)
        return nil
    }

    private mutating func rules(
        _ arguments: AttributeArguments, _ attribute: AttributeSyntax
    ) -> RelationRules {
        var rules = RelationRules()
        rules.onDelete = rule(arguments.labeled("onDelete"), attribute)
        rules.onTargetDelete = rule(arguments.labeled("onTargetDelete"), attribute)
        if let value = arguments.labeled("removesOrphans") {
            rules.removesOrphans = boolean(value, attribute)
        }
        return rules
    }

    private mutating func rule(_ value: ExprSyntax?, _ attribute: AttributeSyntax) -> String? {
        guard let value else { return nil }
        if let name = value.memberName, RelationRules.names.contains(name) { return name }
        let nearest = value.memberName.flatMap(RelationRules.nearest)
        report(
            "'.nullify', '.cascade' or '.deny'", of: attribute, at: value,
            fixIts: nearest.map { [EntityFixIt.replace(value, byCase: $0)] } ?? [])
        return nil
    }

    private mutating func boolean(_ value: ExprSyntax?, _ attribute: AttributeSyntax) -> Bool {
        guard let value else { return false }
        if let boolean = value.booleanValue { return boolean }
        report("'true' or 'false'", of: attribute, at: value)
        return false
    }

    private mutating func string(_ value: ExprSyntax?, _ attribute: AttributeSyntax) -> String? {
        if let text = value?.stringText, !text.isEmpty { return text }
        report("a name in quotation marks", of: attribute, at: value)
        return nil
    }

    /// The name of a member such as `.hash`; empty without an argument.
    private mutating func member(_ value: ExprSyntax?, _ attribute: AttributeSyntax) -> String {
        guard let value else { return "" }
        if let name = value.memberName { return name }
        // Names in quotation marks belong on the type; the attribute's own expansion reports that.
        if value.stringText == nil { report("a case such as '.hash'", of: attribute, at: value) }
        return ""
    }

    private mutating func report(
        _ expected: String, of attribute: AttributeSyntax, at node: (some SyntaxProtocol)?,
        fixIts: [FixIt] = []
    ) {
        let name = attribute.attributeName.trimmedDescription
        let message = EntityDiagnostic.argumentUnreadable(attribute: name, expected: expected)
        diagnostics.append(
            Diagnostic(
                node: node.map(Syntax.init) ?? Syntax(attribute), message: message, fixIts: fixIts))
    }
}
#endif
