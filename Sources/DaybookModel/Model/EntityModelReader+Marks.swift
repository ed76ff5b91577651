#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

extension EntityModelReader {
    /// Reports annotations that are invalid for a property.
    mutating func checkMarks(_ variable: StoredVariable, isIdentity: Bool) {
        let marks = variable.annotations.marks
        if variable.isTransient {
            for mark in marks where mark != .transient { reportTransient(variable, mark) }
            return
        }
        for mark in marks {
            if let reason = reason(against: mark, of: variable, isIdentity: isIdentity) {
                report(mark, of: variable, reason)
            }
        }
        guard !isIdentity, kind == .entity else { return }
        if marks.contains(.index), variable.shownType?.isRelation == true, !variable.isBacklink {
            reportIndex(variable)
        }
        if variable.isBacklink, variable.annotations.rules.onTargetDelete != nil {
            report(
                .markUnsuitable(
                    mark: "onTargetDelete", property: variable.name, reason: .targetOfBacklink),
                at: variable.identifier)
        }
    }

    private func reason(
        against mark: Mark, of variable: StoredVariable, isIdentity: Bool
    ) -> EntityDiagnostic.MarkReason? {
        if mark == .vector { return reason(againstVectorOf: variable, isIdentity: isIdentity) }
        let isLookedUp = [.id, .primaryKey, .index, .unique].contains(mark)
        let isConversion = [.convert, .encoded, .nanoseconds].contains(mark)
        let isLink = [.relation, .backlink].contains(mark)
        if isLookedUp || isLink, kind == .embedded { return .embedded }
        if isLookedUp || mark == .backlink, kind == .event {
            // Realm requires it, and stores no such values.
            return realmBase == .asymmetric && mark == .primaryKey ? nil : .event
        }
        if mark == .id { return realmBase == .object ? .realmObject : nil }
        if isIdentity, isLookedUp || isConversion || isLink { return .identity }
        if isLink { return reason(againstLink: mark, of: variable) }
        if variable.isBacklink, mark != .transient {
            return [.name, .renamed].contains(mark) ? .nameless : .relation
        }
        guard let shown = variable.shownType else { return nil }
        if shown.isRelation, isConversion || isLookedUp { return mark == .index ? nil : .relation }
        if isLookedUp, variable.annotations.conversion == nil {
            if shown.isCollection { return .collection(type: shown.text) }
            let kind = mark == .index ? variable.annotations.index : nil
            if let kind, shown.isPlain, !shown.isString {
                if kind.hasPrefix("hash") { return .notString(type: shown.text) }
                if kind.isKindOfTexts { return .notText(type: shown.text) }
            }
        }
        if mark == .convert, case .fallback? = variable.annotations.conversion,
            shown.isPlain || shown.isCollection
        {
            return .notEnumeration(type: shown.text)
        }
        if mark == .nanoseconds, shown.name != "Date" { return .notDate(type: shown.text) }
        return nil
    }

    private func reason(
        againstVectorOf variable: StoredVariable, isIdentity: Bool
    ) -> EntityDiagnostic.MarkReason? {
        if kind == .embedded { return .embedded }
        if kind == .event { return .event }
        if isIdentity { return .identity }
        guard let shown = variable.shownType else { return nil }
        if shown.isRelation || variable.isBacklink { return .relation }
        // A type alias may be a list of Float.
        let isOther =
            shown.isPlain || ["Dictionary", "Set", "MutableSet", "Map"].contains(shown.name)
        let element = shown.text.filter { !$0.isWhitespace && $0 != "?" }
        let isOtherList =
            shown.name == "Array" && element.hasPrefix("[") && element != "[Float]"
            && element != "[Swift.Float]"
        return isOther || isOtherList ? .notVector(type: shown.text) : nil
    }

    private func reason(
        againstLink mark: Mark, of variable: StoredVariable
    ) -> EntityDiagnostic.MarkReason? {
        let shown = variable.shownType
        if mark == .backlink {
            guard let shown, !shown.mayBeBacklink else { return nil }
            return .notBacklink(type: shown.text)
        }
        if variable.isBacklink {
            // A comment has one word for the rules of both ends.
            let attribute = variable.declaration.attributes.attribute(for: .relation)
            return attribute == nil ? nil : .backlink
        }
        guard let shown, shown.isPlain || shown.isPlainCollection else { return nil }
        return .notRelation(type: shown.text)
    }

    private mutating func report(
        _ mark: Mark, of variable: StoredVariable, _ reason: EntityDiagnostic.MarkReason
    ) {
        let attribute = variable.declaration.attributes.attribute(for: mark)
        var fixIts = attribute.map { [EntityFixIt.remove($0)] } ?? []
        switch (reason, attribute) {
        case (.notString, let attribute?), (.notText, let attribute?):
            fixIts = [EntityFixIt.replace(attribute, by: "@Index")]
        default: break
        }
        report(
            .markUnsuitable(
                mark: spelling(mark, of: variable), property: variable.name, reason: reason),
            at: variable.identifier, fixIts: fixIts)
    }

    /// A model of another library may have it, and omitting it loses nothing.
    private mutating func reportIndex(_ variable: StoredVariable) {
        let attribute = variable.declaration.attributes.attribute(for: .index)
        report(
            .indexUnneeded(mark: spelling(.index, of: variable), property: variable.name),
            at: variable.identifier, fixIts: attribute.map { [EntityFixIt.remove($0)] } ?? [])
    }

    private mutating func reportTransient(_ variable: StoredVariable, _ mark: Mark) {
        let attributes = [mark, .transient].compactMap {
            variable.declaration.attributes.attribute(for: $0)
        }
        report(
            .transientMarked(mark: spelling(mark, of: variable), property: variable.name),
            at: variable.identifier, fixIts: attributes.map { EntityFixIt.remove($0) })
    }

    /// The spelling of the mark in the declaration.
    private func spelling(_ mark: Mark, of variable: StoredVariable) -> String {
        let isAttribute = variable.declaration.attributes.attribute(for: mark) != nil
        return isAttribute ? "@\(mark.rawValue)" : mark.word
    }
}

extension String {
    /// Whether an index of this kind requires texts.
    var isKindOfTexts: Bool { ["text", "caseInsensitive"].contains(self) }
}
#endif
