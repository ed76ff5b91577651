#if Macros
package import SwiftSyntax

/// An annotation of an entity or a property. The raw value is the name of its attribute.
package enum Mark: String, CaseIterable, Hashable, Sendable {
    case id = "Id"
    case primaryKey = "PrimaryKey"
    case name = "Name"
    case index = "Index"
    case unique = "Unique"
    case vector = "Vector"
    case transient = "Transient"
    case convert = "Convert"
    case nanoseconds = "Nanoseconds"
    case encoded = "Encoded"
    case renamed = "Renamed"
    case relation = "Relation"
    case backlink = "Backlink"

    /// The mark of `attribute`; nil for a foreign attribute.
    package init?(_ attribute: AttributeSyntax) {
        guard let name = attribute.nameInDaybook else { return nil }
        self.init(rawValue: name)
    }

    /// The spelling in comments and other libraries, such as `primaryKey`.
    var word: String { rawValue.prefix(1).lowercased() + rawValue.dropFirst() }

    /// Whether the mark applies to types as well as to properties.
    var suitsTypes: Bool {
        switch self {
        case .primaryKey, .name, .index, .unique, .renamed: true
        case .id, .vector, .transient, .convert, .nanoseconds, .encoded, .relation, .backlink: false
        }
    }

    /// Whether the mark names properties when it is applied to a type.
    var namesColumns: Bool { [.primaryKey, .index, .unique].contains(self) }
}

extension PropertyAnnotations {
    /// The marks of the property, in the order of the cases.
    var marks: [Mark] {
        Mark.allCases.filter { mark in
            switch mark {
            case .id: isIdentity
            case .primaryKey: isPrimaryKey
            case .name: storedName != nil
            case .index: index != nil
            case .unique: unique != nil
            case .vector: vector != nil
            case .transient: isTransient
            case .convert: conversion?.mark == .convert
            case .nanoseconds: conversion?.mark == .nanoseconds
            case .encoded: conversion?.mark == .encoded
            case .renamed: !formerNames.isEmpty
            case .relation: isRelation
            case .backlink: backlink != nil
            }
        }
    }
}

extension PropertyAnnotations.Conversion {
    fileprivate var mark: Mark {
        switch self {
        case .fallback, .converter: .convert
        case .encoded: .encoded
        case .nanoseconds: .nanoseconds
        }
    }
}

extension AttributeSyntax {
    /// The attribute's name, if it may be one of Daybook's: unqualified, or qualified by the
    /// module.
    var nameInDaybook: String? {
        if let plain = attributeName.as(IdentifierTypeSyntax.self) { return plain.name.text }
        guard let member = attributeName.as(MemberTypeSyntax.self),
            member.baseType.trimmedDescription == "Daybook"
        else { return nil }
        return member.name.text
    }
}

extension AttributeListSyntax {
    /// The attributes outside `#if`.
    var plain: [AttributeSyntax] {
        compactMap { element in
            guard case .attribute(let attribute) = element else { return nil }
            return attribute
        }
    }

    /// The attribute of `mark`, if there is one.
    func attribute(for mark: Mark) -> AttributeSyntax? {
        plain.first { Mark($0) == mark }
    }
}
#endif
