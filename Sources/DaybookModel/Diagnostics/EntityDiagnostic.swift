#if Macros
package import SwiftDiagnostics

/// The errors of an entity's declaration. Each message includes the fix.
package enum EntityDiagnostic: Hashable, Sendable {
    // The type.
    case kindUnsuitable(name: String, kind: String)
    case kindContradiction(name: String, kinds: [String])
    case kindOfBase(name: String, base: String, attribute: String)
    case subclassOfEntity(name: String, superclass: String, conformance: String)
    case generic(name: String)
    case insideGenericType(name: String, enclosing: String)
    case nestedPrivately(name: String)
    case isolatedType(name: String)
    case emptyInitializerMissing(name: String)
    case initializerMissing(name: String, properties: [String])
    // Its properties.
    case isolatedProperty(name: String)
    case constant(names: [String])
    case lazy(name: String)
    case weak(name: String, modifier: String)
    case conditional(name: String)
    case tuplePattern
    case transientWithoutDefault(name: String)
    case relationOptional(name: String)
    case storedNameTwice(stored: String, properties: [String])
    // The id.
    case identityMissing(name: String)
    case identityAmbiguous(name: String, candidates: [String])
    case identityTwice(names: [String])
    case identityUnsuitable(name: String, property: String)
    case entityIdTaken
    // Errors of attributes and comments.
    case primaryKeyTwice(names: [String])
    case columnUnknown(mark: Mark, column: String, name: String)
    case expiryUnknown(property: String, name: String)
    case expiryTwice(name: String, properties: [String])
    case markUnsuitable(mark: String, property: String, reason: MarkReason)
    case markDisagreement(mark: Mark, subject: String)
    case transientMarked(mark: String, property: String)
    case markTwice(mark: Mark)
    case backlinkUnnamed(property: String)
    case backlinkTargetUnknown(property: String, origin: String)
    case indexUnneeded(mark: String, property: String)
    case markMisplaced(mark: Mark, MarkPlace)
    case markWithoutEffect(mark: Mark)
    case argumentUnreadable(attribute: String, expected: String)
    case functionUnreadable(name: String, expected: String)
    case functionColumnUnknown(function: String, column: String, name: String)

    /// The reason why an annotation of a property is invalid.
    package enum MarkReason: Hashable, Sendable {
        case identity
        case relation
        case embedded
        case event
        case realmObject
        case collection(type: String)
        case notString(type: String)
        /// The index kind requires texts.
        case notText(type: String)
        /// A text index covers one property.
        case severalTexts
        /// A case-insensitive index requires a text property.
        case noText
        case notDate(type: String)
        /// A default replaces unknown raw values, and the type has none.
        case notEnumeration(type: String)
        /// A vector index requires a list of Float.
        case notVector(type: String)
        case notRelation(type: String)
        case notBacklink(type: String)
        /// Backlinks have no stored name.
        case nameless
        /// A backlink has its own arguments for rules.
        case backlink
        /// The rule for the object with the backlink belongs to the relation.
        case targetOfBacklink
    }

    /// The valid position of a mark.
    package enum MarkPlace: Hashable, Sendable {
        case onProperty
        case onTypeOrProperty
        /// The mark names properties but is applied to a property.
        case withoutNames
        /// The mark is applied to a type but names no property.
        case withNames
    }
}

extension EntityDiagnostic: DiagnosticMessage {
    /// The name of the case, which is independent of the message.
    package var diagnosticID: MessageID {
        MessageID(domain: "Daybook", id: String(String(describing: self).prefix { $0 != "(" }))
    }

    package var severity: DiagnosticSeverity {
        switch self {
        case .markWithoutEffect, .indexUnneeded, .initializerMissing: .warning
        default: .error
        }
    }
}
#endif
