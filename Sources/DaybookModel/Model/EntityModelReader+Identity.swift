#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

extension EntityModelReader {
    /// Finds the id of an entity: the marked property, else the only one with an id type, else the
    /// one with an id name. Reports a missing id, several ids, and an id with an unsuitable type;
    /// the result is then nil.
    mutating func findIdentity(
        among members: DeclaredMembers
    ) -> (EntityModel.Identity, StoredVariable?)? {
        guard kind == .entity else { return (.none, nil) }
        let kept = members.variables.filter { $0.isKept && !$0.isBacklink }
        if realmBase == .object {
            checkEntityId(kept, identity: nil)
            return (.inherited, nil)
        }
        let problems = diagnostics.count
        let identity = identity(among: kept, members)
        checkEntityId(kept, identity: identity)
        if let identity { return (.property(identity.identifier.text), identity) }
        return diagnostics.count == problems && hasPrimaryKey(kept) ? (.hidden, nil) : nil
    }

    private mutating func identity(
        among kept: [StoredVariable], _ members: DeclaredMembers
    ) -> StoredVariable? {
        let entity = type.plainName
        let marked = kept.filter(\.annotations.isIdentity)
        if !marked.isEmpty { return markedIdentity(marked) }
        let typed = kept.filter { $0.hasIdentityType(of: entity) }
        let named = kept.first { $0.name == "id" }
        let isFit = named.map { !$0.hasTypeUnsuitableForIdentity(of: entity) } ?? false
        if typed.count == 1 {
            // The type of `id` may be an alias of an id type. Choosing another property could store
            // objects with wrong ids.
            guard let named, isFit, typed[0].name != "id" else { return typed[0] }
            reportAmbiguity(among: [named, typed[0]])
            return nil
        }
        if let named, isFit, !named.annotations.isPrimaryKey { return named }
        let plain = kept.filter { $0.hasPlainIdentityType && !$0.annotations.isPrimaryKey }
        if let named = Self.named(typed.isEmpty ? plain : typed) { return named }
        if !typed.isEmpty {
            reportAmbiguity(among: typed)
        } else if !hasPrimaryKey(kept) {
            if let named { return unsuitable(named) }
            reportMissing(members)
        }
        return nil
    }

    private func hasPrimaryKey(_ kept: [StoredVariable]) -> Bool {
        !annotations.primaryKey.isEmpty || kept.contains(where: \.annotations.isPrimaryKey)
    }

    /// The first with a conventional id name, ignoring case.
    private static func named(_ candidates: [StoredVariable]) -> StoredVariable? {
        for name in ["id", "objectid", "uniqueid"] {
            if let found = candidates.first(where: { $0.name.lowercased() == name }) {
                return found
            }
        }
        return nil
    }

    private mutating func markedIdentity(_ marked: [StoredVariable]) -> StoredVariable? {
        if marked.count > 1 {
            let attribute = marked[1].declaration.attributes.attribute(for: .id)
            report(
                .identityTwice(names: marked.map(\.name)), at: marked[1].identifier,
                fixIts: attribute.map { [EntityFixIt.remove($0)] } ?? [])
            return nil
        }
        let isUnsuitable = marked[0].hasTypeUnsuitableForIdentity(of: type.plainName)
        return isUnsuitable ? unsuitable(marked[0]) : marked[0]
    }

    /// Reports the id's type and still uses the property as the id.
    private mutating func unsuitable(_ variable: StoredVariable) -> StoredVariable {
        report(
            .identityUnsuitable(name: type.plainName, property: variable.name),
            at: variable.type.map(Syntax.init) ?? Syntax(variable.identifier),
            fixIts: [EntityFixIt.giveIdentityType(to: variable)])
        return variable
    }

    private mutating func reportAmbiguity(among candidates: [StoredVariable]) {
        let inOrder = candidates.sorted { $0.identifier.position < $1.identifier.position }
        report(
            .identityAmbiguous(name: type.plainName, candidates: inOrder.map(\.name)),
            at: inOrder[1].identifier,
            fixIts: inOrder.compactMap { candidate in
                guard candidate.declaration.bindings.count == 1 else { return nil }
                return EntityFixIt.add("@Id", to: candidate.declaration)
            })
    }

    /// A constant that looks like the id is the more likely mistake. A constant without a value was
    /// reported before.
    private mutating func reportMissing(_ members: DeclaredMembers) {
        let constant = members.variables.first {
            $0.isConstant && !$0.isTransient
                && ($0.name == "id" || $0.hasIdentityType(of: type.plainName))
        }
        guard let constant else {
            report(
                .identityMissing(name: type.plainName), at: type.name,
                fixIts: [EntityFixIt.insertIdentity(into: type)])
            return
        }
        guard constant.initialValue != nil else { return }
        report(
            .constant(names: [constant.name]), at: constant.declaration.bindingSpecifier,
            fixIts: [EntityFixIt.makeVariable(constant.declaration)])
    }

    /// The protocol's `entityId` may be the id property itself if its type is `Id`; otherwise the
    /// name is not available.
    private mutating func checkEntityId(_ kept: [StoredVariable], identity: StoredVariable?) {
        guard let variable = kept.first(where: { $0.name == "entityId" }) else { return }
        let isIdentity = variable.identifier.id == identity?.identifier.id
        let written = variable.type?.trimmedDescription
        if isIdentity, let written, ["Id", "Daybook.Id"].contains(written) { return }
        report(.entityIdTaken, at: variable.identifier)
    }
}
#endif
