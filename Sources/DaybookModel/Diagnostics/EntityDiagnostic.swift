#if Macros
package import SwiftDiagnostics

/// What can be wrong with an entity's declaration, in words that say how to mend it.
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
    // What attributes and comments say.
    case primaryKeyTwice(names: [String])
    case columnUnknown(mark: Mark, column: String, name: String)
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

    /// Why what is said of a property cannot be true of it.
    package enum MarkReason: Hashable, Sendable {
        case identity
        case relation
        case embedded
        case event
        case realmObject
        case collection(type: String)
        case notString(type: String)
        /// The kind of index is one of texts.
        case notText(type: String)
        /// An index of words is over one property.
        case severalTexts
        /// An index without difference of case is over texts, none of which is there.
        case noText
        case notDate(type: String)
        case notRelation(type: String)
        case notBacklink(type: String)
        /// The store has no name for a backlink.
        case nameless
        /// A backlink has its own arguments for rules.
        case backlink
        /// What happens to the host of a backlink is a rule of the relation.
        case targetOfBacklink
    }

    /// Where a mark belongs.
    package enum MarkPlace: Hashable, Sendable {
        case onProperty
        case onTypeOrProperty
        /// It names properties, and stands on one.
        case withoutNames
        /// It stands on a type, and names no property.
        case withNames
    }
}

extension EntityDiagnostic: DiagnosticMessage {
    /// The case's name, which stays the same whatever the message says.
    package var diagnosticID: MessageID {
        MessageID(domain: "Daybook", id: String(String(describing: self).prefix { $0 != "(" }))
    }

    package var severity: DiagnosticSeverity {
        switch self {
        case .markWithoutEffect, .indexUnneeded: .warning
        default: .error
        }
    }
}
#endif
