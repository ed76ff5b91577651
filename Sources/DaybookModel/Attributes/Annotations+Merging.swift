#if Macros
extension EntityAnnotations {
    /// Merges the annotations of another spelling. Returns the marks on which the two disagree.
    mutating func merge(_ other: EntityAnnotations) -> [Mark] {
        var disagreements: [Mark] = []
        isEntity = isEntity || other.isEntity
        isEmbedded = isEmbedded || other.isEmbedded
        isEvent = isEvent || other.isEvent
        if !adopt(&storedName, other.storedName) { disagreements.append(.name) }
        if !adopt(&uid, other.uid) { disagreements.append(.name) }
        formerNames.add(other.formerNames)
        indexes.add(other.indexes)
        uniques.add(other.uniques)
        expiries.add(other.expiries)
        if primaryKey.isEmpty {
            primaryKey = other.primaryKey
        } else if !other.primaryKey.isEmpty, other.primaryKey != primaryKey {
            disagreements.append(.primaryKey)
        }
        return disagreements
    }
}

extension PropertyAnnotations {
    /// Merges the annotations of another spelling. Returns the marks on which the two disagree.
    mutating func merge(_ other: PropertyAnnotations) -> [Mark] {
        var disagreements: [Mark] = []
        isIdentity = isIdentity || other.isIdentity
        isAssignable = isAssignable || other.isAssignable
        isPrimaryKey = isPrimaryKey || other.isPrimaryKey
        isTransient = isTransient || other.isTransient
        isFlexible = isFlexible || other.isFlexible
        isPersisted = isPersisted || other.isPersisted
        if !adoptKind(&index, other.index) { disagreements.append(.index) }
        if !adoptKind(&unique, other.unique) { disagreements.append(.unique) }
        if !adopt(&vector, other.vector) { disagreements.append(.vector) }
        if !adopt(&storedName, other.storedName) { disagreements.append(.name) }
        if !adopt(&uid, other.uid) { disagreements.append(.name) }
        if !adopt(&conversion, other.conversion) { disagreements.append(.convert) }
        let isSameBacklink = adopt(&backlink, other.backlink)
        if !adopt(&backlinkTarget, other.backlinkTarget) || !isSameBacklink {
            disagreements.append(.backlink)
        }
        isRelation = isRelation || other.isRelation
        if !rules.merge(other.rules) { disagreements.append(.relation) }
        formerNames.add(other.formerNames)
        return disagreements
    }
}

extension RelationRules {
    /// Merges the rules of another spelling. Returns false if the two disagree.
    fileprivate mutating func merge(_ other: RelationRules) -> Bool {
        let agreements = [
            adopt(&onDelete, other.onDelete), adopt(&onTargetDelete, other.onTargetDelete),
            adopt(&removesOrphans, other.removesOrphans),
        ]
        return !agreements.contains(false)
    }
}

/// Adopts `other` if `value` is nil. Returns false if the two disagree.
private func adopt<Value: Equatable>(_ value: inout Value?, _ other: Value?) -> Bool {
    if value == nil { value = other }
    return other == nil || value == other
}

/// Like `adopt`; an empty text means a default kind, which any other kind overrides.
private func adoptKind(_ kind: inout String?, _ other: String?) -> Bool {
    guard let other else { return true }
    if kind?.isEmpty ?? true { kind = other }
    return other.isEmpty || kind == other
}

extension Array where Element: Equatable {
    /// Appends the elements that are missing.
    fileprivate mutating func add(_ more: [Element]) {
        for element in more where !contains(element) { append(element) }
    }
}
#endif
