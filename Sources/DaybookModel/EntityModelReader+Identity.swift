#if Macros
internal import SwiftSyntax

extension EntityModelReader {
    /// Finds the id: the only property whose written type says so, else the one named `id`.
    /// Reports none, several, and one whose type cannot be an id.
    mutating func findIdentity(among members: DeclaredMembers) -> StoredVariable? {
        let entity = type.plainName
        let kept = members.variables.filter(\.isKept)
        let typed = kept.filter { $0.hasIdentityType(of: entity) }
        let named = kept.first { $0.name == "id" }
        var identity: StoredVariable?
        switch (typed.count, named) {
        case (1, let named?)
        where typed[0].name != "id" && !named.hasTypeUnsuitableForIdentity(of: entity):
            // The type of `id` may be an alias of an id's: choosing for the user could store
            // objects under another's id.
            reportAmbiguity(among: [named, typed[0]])
        case (1, _):
            identity = typed[0]
        case (_, let named?):
            identity = named
            if named.hasTypeUnsuitableForIdentity(of: entity) {
                report(
                    .identityUnsuitable(name: entity, property: named.name),
                    at: named.type.map(Syntax.init) ?? Syntax(named.identifier),
                    fixIts: [EntityFixIt.giveIdentityType(to: named)])
            }
        case (0, nil):
            reportMissing(members)
        default:
            reportAmbiguity(among: typed)
        }
        checkEntityId(kept, identity: identity)
        return identity
    }

    private mutating func reportAmbiguity(among candidates: [StoredVariable]) {
        let inOrder = candidates.sorted { $0.identifier.position < $1.identifier.position }
        report(
            .identityAmbiguous(name: type.plainName, candidates: inOrder.map(\.name)),
            at: inOrder[1].identifier)
    }

    /// A constant that looks like the id is the likelier mistake than none at all; one without a
    /// value was reported before.
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

    /// The protocol's `entityId` may be the id property itself, if its type is `Id`; otherwise the
    /// name is taken.
    private mutating func checkEntityId(_ kept: [StoredVariable], identity: StoredVariable?) {
        guard let variable = kept.first(where: { $0.name == "entityId" }) else { return }
        let isIdentity = variable.identifier.id == identity?.identifier.id
        let written = variable.type?.trimmedDescription
        if isIdentity, let written, ["Id", "Daybook.Id"].contains(written) { return }
        report(.entityIdTaken, at: variable.identifier)
    }
}
#endif
