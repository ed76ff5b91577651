import DaybookBytes
import DaybookEngine

/// How many objects are read ahead at once.
private let pieceCount = 256

// What goes to the store and comes from it, past what is in memory.

extension ToMany {
    /// Writes what was changed: new objects, and the links that were added and removed. Without
    /// changes it does nothing.
    ///
    /// - Throws: `.cannotRelateToUnsaved` where the object that has the relation was never put, or
    ///   a struct among the objects has an id that was set to 0; `.notFound` for an object that is
    ///   not in the store any more; `.relationDenied`; what a put of the new objects throws, and
    ///   what every write throws. Nothing is changed then, and the changes stay noted.
    public func applyToDb() throws {
        guard hasChangesToApply else { return }
        let host = try writableHost()
        _ = try host.types.engine.putGraph(PutOptions(), host.types) { puts in
            try note(in: &puts, of: host)
            try puts.encode()
        }
    }

    /// Whether there is something to write, or to say why it cannot be.
    var hasChangesToApply: Bool { lock { list.hasChanges || lostChange != nil } }

    /// What the links are written for. Throws as ``applyToDb()`` does.
    func writableHost() throws -> GraphHost {
        guard let attachment = lock({ attachment }) else {
            throw DaybookError(
                .cannotRelateToUnsaved,
                "The relation to \(Target.self) is of an object that was not put. Put that one,"
                    + " which also writes its relations.", details: ["entity": "\(Target.self)"])
        }
        try attachment.requireCurrent()
        return GraphHost(
            end: .id(attachment.host),
            relation: try attachment.owner.relation(at: attachment.place, to: Target.self),
            place: attachment.place, isNew: false, id: attachment.host, types: attachment.types)
    }

    /// The objects as the store has them now. Keeps nothing.
    ///
    /// Throws as ``Box/get(_:)-(Id)`` does; `.cannotRelateToUnsaved` where the object that has the
    /// relation was never put.
    public func getUncachedFromDb() throws -> [Target] {
        let attachment = try stored()
        return try attachment.decode(try attachment.rows(of: Target.self))
    }

    /// The ids of the objects that the store has now, ascending. Keeps nothing, and reads no
    /// object. Throws as ``getUncachedFromDb()`` does.
    public func getUncachedIdsFromDb() throws -> [EntityId<Target>] {
        try stored().ids(of: Target.self).map { EntityId($0) }
    }

    /// How many objects the store has now. Reads no object; costs a few nanoseconds each. Throws as
    /// ``getUncachedFromDb()`` does.
    public func countInDb() throws -> Int { try stored().count(of: Target.self) }

    /// Up to `limit` objects that the store has now, in the order of their ids, from the one behind
    /// `id`. Keeps nothing. Throws as ``getUncachedFromDb()`` does.
    public func page(after id: EntityId<Target> = 0, limit: Int) throws -> [Target] {
        let attachment = try stored()
        return try attachment.decode(
            try attachment.rows(of: Target.self, after: id.value, limit: Swift.max(0, limit)))
    }

    /// Gives each object that the store has now to `body`, in the order of their ids. All come from
    /// one version; few are in memory at once. Throws what `body` throws, and as
    /// ``getUncachedFromDb()`` does.
    public func forEachInDb(_ body: (Target) throws -> Void) throws {
        let attachment = try stored()
        try attachment.types.read {
            var last: Id? = 0
            while let after = last {
                let rows = try attachment.rows(of: Target.self, after: after, limit: pieceCount)
                for object in try attachment.decode(rows, as: Target.self) { try body(object) }
                last = rows.last?.id
            }
        }
    }

    /// Throws `.cannotRelateToUnsaved` where the object that has the relation was never put.
    func stored() throws -> Attachment {
        if let attachment = lock({ attachment }) { return attachment }
        throw DaybookError(
            .cannotRelateToUnsaved,
            "The relation to \(Target.self) is of an object that was not put, so the store has"
                + " nothing of it. Put that one first.", details: ["entity": "\(Target.self)"])
    }
}

extension ToMany: RelationProperty {
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        let attachment = lock { self.attachment }
        try host.requireSameStore(attachment)
        try host.relation.require(Target.self)
        let isOwn = host.isHost(of: attachment)
        // It came from another object, and stands for all that is there.
        if attachment != nil, !isOwn {
            // Another thread may reset it, or settle a put.
            repeat { try resolve() } while !resolved
        }
        let (list, lostChange, generation) = lock { (self.list, self.lostChange, self.generation) }
        if let lostChange { throw lostChange }
        let isWhole = list.isWhole || (attachment != nil && !isOwn)
        if isOwn, !list.hasChanges {
            if let renewed = host.renewed(attachment) {
                puts.whenPut { _ in
                    self.lock { self.attachment = renewed }
                    return nil
                }
            }
            return
        }
        var added: [EncodedGraph.End] = []
        var new: [Int: EncodedGraph.End] = [:]
        for member in isWhole ? list.members : list.added {
            let id = member.storedId
            if id == 0 || member.isTakenBack {
                let node = EncodedGraph.End.node(try puts.add(member.object))
                new[member.token] = node
                added.append(node)
            } else {
                added.append(.id(id))
            }
        }
        let removed = isOwn ? list.removed : []
        if !added.isEmpty || !removed.isEmpty || (isWhole && !host.isNew) {
            puts.note(
                .members(added: added, removed: removed, isWhole: isWhole && !host.isNew), of: host)
        }
        let noted = NotedMembers(
            added: added, removed: removed, new: new,
            isWhole: isWhole || host.isNew,
            tokens: Set(list.members.map(\.token)), generation: generation)
        puts.whenPut { self.settle(host, noted, $0) }
    }

    /// What a put was told of.
    private struct NotedMembers {
        var added: [EncodedGraph.End]
        var removed: [Id]
        /// The objects that were new, by their tokens.
        var new: [Int: EncodedGraph.End]
        /// Whether the store has these members and no others after the put.
        var isWhole: Bool
        var tokens: Set<Int>
        var generation: Int
    }

    /// Attaches it to its host; what was put is no change any more.
    private func settle(
        _ host: GraphHost, _ noted: NotedMembers, _ outcome: GraphOutcome
    ) -> (() -> Void)? {
        let ids = noted.new.mapValues { outcome.id(of: $0) }
        var noted = noted
        let isUntouched = noted.tokens.isEmpty && noted.removed.isEmpty
        // The same put may have changed it from the other side, so the next use reads it.
        let isUnread = host.isNew && isUntouched && outcome.isLinked(host.end)
        if isUnread { noted.isWhole = false }
        let (before, isReset) = lock { () -> ((Attachment?, MemberList<Target>), Bool) in
            let before = (attachment, list)
            attachment = host.attachment(after: outcome) ?? attachment
            // What was put was forgotten since: what it shows now is none of that.
            if generation != noted.generation { return (before, true) }
            readStamp += 1
            list.setIds(ids)
            let added = noted.added.map { outcome.id(of: $0) }
            if noted.isWhole {
                list.base = Set(added)
            } else if list.hasBase {
                list.base?.subtract(noted.removed)
                list.base?.formUnion(added)
            } else {
                // What else the store has is not known: the next use reads it.
                list.removeAll { noted.tokens.contains($0.token) }
            }
            list.isWhole = false
            return (before, false)
        }
        if isReset { return { self.lock { self.attachment = before.0 } } }
        if noted.added.isEmpty, noted.removed.isEmpty, before.0 == nil {
            // What was empty may stay as it is: nothing was written for it.
            return isUnread ? detachment() : nil
        }
        return {
            // What goes is released outside the lock.
            let old = self.lock {
                let old = self.list
                self.attachment = before.0
                // A reset has forgotten what was put.
                guard self.generation == noted.generation else { return old }
                self.list.takeBack(
                    to: before.1, noted.tokens, Set(ids.keys),
                    isContinued: noted.isWhole || before.1.hasBase)
                return old
            }
            withExtendedLifetime(old) {}
        }
    }
}

extension ToMany {
    /// How to take back that it was attached, where nothing was put of it. Another object may get
    /// the id of its host.
    private func detachment() -> () -> Void {
        {
            // What goes is released outside the lock.
            let old: MemberList<Target>? = self.lock {
                self.attachment = nil
                guard self.list.hasBase else { return nil }
                let old = self.list
                self.list = MemberList(after: old)
                return old
            }
            withExtendedLifetime(old) {}
        }
    }
}

/// Kept as links beside the host's row.
extension ToMany: PropertyValue {
    /// A relation to objects of the target's type.
    public static var propertyType: PropertyType { .toMany(Target.self) }
    /// True: the row has nothing of it.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`: no relation stands in a collection.
    public static func read(_ value: borrowing ValueReader) throws -> ToMany {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`: no relation stands in a collection.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Leads where the store's links do, which are read when they are asked for.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> ToMany {
        _ = try row.field(index, .toMany)
        return ToMany(Attachment(row.types, .field(index), host: row.id))
    }
    /// Writes nothing to the row: the links are the put's affair.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .toMany)
        row.relations.append(WrittenRelation(place: .field(index), relation: self))
    }
}
