// The effect of a put on the list, and its rollback.

extension MemberList {
    /// The changes of a list that a put wrote.
    struct Written {
        var added: [Id]
        var removed: [Id]
        /// The ids of the new objects by their tokens.
        var newIds: [Int: Id]
        /// Whether the store had exactly these members after the put.
        var isWhole: Bool
        /// The links of the host before the put, if the relation belonged to another host.
        var known: Set<Id>?
        /// The members that the list had when the put noted it.
        var tokens: Set<Int>
        var replaceCount: Int
    }

    /// Updates the base with the links that a put wrote, and marks the base as stale.
    mutating func settle(_ put: Written) {
        setIds(put)
        if let known = put.known {
            beginChange()
            base = known
        }
        if put.isWhole {
            base = Set(put.added)
        } else if hasBase {
            base?.subtract(put.removed)
            base?.formUnion(put.added)
        } else {
            // The other links are unknown, so the next use must read all links.
            removeAll { put.tokens.contains($0.token) }
        }
        // A replacement during the put is not written yet.
        if replaceCount == put.replaceCount { isWhole = false }
        markStale()
    }

    /// The links that the host has without the changes of the list.
    var knownLinks: FormerHosts.Links {
        // A replacement that was not written must replace the links of the host later.
        .init(ids: base ?? [], replaceCount: isWhole ? replaceCount - 1 : replaceCount)
    }

    /// Marks the base as stale: the links may have changed in the store.
    mutating func markStale() { isStale = hasBase }

    /// Sets the ids of the members that were put. If another thread also read a new object during
    /// the put, removes the duplicate member.
    private mutating func setIds(_ put: Written) {
        if put.tokens.isEmpty { return }
        beginChange()
        guard var members = changed.take() else { return }
        for index in members.indices where put.tokens.contains(members[index].token) {
            if let id = put.newIds[members[index].token] {
                members[index].id = id
                members[index].isRolledBack = false
                if !(Target.self is AnyClass) { members[index].object.entityId = id }
            } else if members[index].id == 0 {
                members[index].id = members[index].object.entityId
            }
        }
        if !put.newIds.isEmpty {
            let given = Set(put.newIds.values)
            members.removeAll { put.newIds[$0.token] == nil && given.contains($0.storedId) }
        }
        changed = members
        noteKeys(of: members)
    }

    /// Turns the changes that a put wrote into local changes again, because the transaction was
    /// rolled back. Changes made after the put stay.
    ///
    /// - Parameters:
    ///   - before: The list before ``settle(_:)``.
    ///   - newIds: The ids of the new objects that the put stored, by their tokens.
    mutating func rollBack(to before: MemberList, _ newIds: [Int: Id]) {
        let given = Set(newIds.values)
        if isWhole, replaceCount != before.replaceCount {
            // The list was replaced after the put, so it does not depend on the put.
            beginChange()
            for index in members.indices where given.contains(members[index].storedId) {
                members[index].isRolledBack = true
            }
            return
        }
        let (later, gone) = (added, Set(removed))
        var list = before
        list.beginChange()
        list.lastToken = max(lastToken, before.lastToken)
        list.replaceCount = replaceCount
        list.members.removeAll { gone.contains(newIds[$0.token] ?? $0.storedId) }
        for index in list.members.indices where newIds[list.members[index].token] != nil {
            list.members[index].isRolledBack = true
        }
        list.noteKeys(of: list.members)
        list.append(later)
        self = list
    }
}
