#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// Reads Realm's annotations: the base class and `@Persisted`.
enum RealmAnnotations {
    /// The base class, if it is one of Realm's. The syntax tree contains only its name.
    static func base(of type: TypeDeclaration) -> EntityModel.RealmBase? {
        guard type.keyword.tokenKind == .keyword(.class),
            let first = type.inheritance?.inheritedTypes.first?.type.trimmedDescription
        else { return nil }
        let parts = first.split(separator: ".")
        if parts.count == 2, !["RealmSwift", "DaybookRealm"].contains(parts[0]) { return nil }
        guard parts.count <= 2, let name = parts.last else { return nil }
        return EntityModel.RealmBase(rawValue: String(name))
    }

    /// The annotations in `@Persisted`; nil without the attribute.
    static func property(
        _ attributes: AttributeListSyntax
    ) -> (PropertyAnnotations, [Diagnostic])? {
        guard let attribute = attributes.attribute(named: "Persisted") else { return nil }
        let arguments = AttributeArguments(attribute)
        var found = PropertyAnnotations()
        var diagnostics: [Diagnostic] = []
        found.isPersisted = true
        func report(_ expected: String, at value: ExprSyntax) {
            let message = EntityDiagnostic.argumentUnreadable(
                attribute: "Persisted", expected: expected)
            diagnostics.append(Diagnostic(node: value, message: message))
        }
        func says(_ label: String) -> Bool {
            guard let value = arguments.labeled(label) else { return false }
            if value.booleanValue == nil { report("'true' or 'false'", at: value) }
            return value.booleanValue == true
        }
        found.isPrimaryKey = says("primaryKey")
        if says("indexed") { found.index = "" }
        if let origin = arguments.labeled("originProperty") {
            found.backlink = origin.stringText.flatMap { $0.isPropertyName ? $0 : nil }
            if found.backlink == nil { report("a name in quotation marks", at: origin) }
        }
        return (found, diagnostics)
    }
}
#endif
