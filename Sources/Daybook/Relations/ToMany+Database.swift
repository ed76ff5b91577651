import DaybookBytes
import DaybookEngine

/// The number of objects that are read at once.
private let pieceCount = 256

// Writes of the changes, and reads that bypass the objects in memory.

extension ToMany {
    /// Writes the changes: new objects, and the links that were added and removed. After
    /// ``replace(_:)`` or `removeAll()` the store has exactly the links of the list. Does nothing
    /// if there are no changes. The next use of the collection reads the links again.
    ///
    /// - Throws: `.cannotRelateToUnsaved` if the object that has the relation was never put, or the
    ///   id of a struct among the objects was set to 0; `.notFound` for an object that the store
    ///   no longer has; `.relationDenied`; the errors of a put of the new objects, and those of
    ///   every write. Nothing is written then, and the changes stay pending.
    public func applyToDb() throws {
        guard hasChangesToApply else { return }
        let host = try writableHost()
        _ = try host.types.engine.putGraph(PutOptions(), host.types) { puts in
            try note(in: &puts, of: host)
            try puts.encode()
        }
    }

    /// Whether there are changes to write, or an error to throw instead.
    var hasChangesToApply: Bool { lock { list.hasChanges || lostChange != nil } }

    /// The object whose links are written. Throws as ``applyToDb()`` does.
    func writableHost() throws -> GraphHost {
        guard let attachment = lock({ attachment }) else {
            throw DaybookError(
                .cannotRelateToUnsaved,
                "The relation to \(Target.self) belongs to an object that was not put. Put the"
                    + " object, which also writes its relations.",
                details: ["entity": "\(Target.self)"])
        }
        try attachment.requireCurrent()
        return GraphHost(
            end: .id(attachment.host),
            relation: try attachment.owner.relation(at: attachment.place, to: Target.self),
            place: attachment.place, isNew: false, id: attachment.host, types: attachment.types)
    }

    /// The objects that the store has now. Keeps nothing.
    ///
    /// Throws as ``Box/get(_:)-(Id)`` does; `.cannotRelateToUnsaved` if the object that has the
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

    /// The number of objects that the store has now. Reads no object; costs a few nanoseconds for
    /// each. Throws as ``getUncachedFromDb()`` does.
    public func countInDb() throws -> Int { try stored().count(of: Target.self) }

    /// Up to `limit` objects that the store has now, in the order of their ids, starting after
    /// `id`. Keeps nothing. Throws as ``getUncachedFromDb()`` does.
    public func page(after id: EntityId<Target> = 0, limit: Int) throws -> [Target] {
        let attachment = try stored()
        return try attachment.decode(
            try attachment.rows(of: Target.self, after: id.value, limit: Swift.max(0, limit)))
    }

    /// Calls `body` with each object that the store has now, in the order of their ids. All objects
    /// come from one version; few are in memory at once. Throws the errors of `body`, and as
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

    /// The links. Throws `.cannotRelateToUnsaved` if the host was never put.
    func stored() throws -> Attachment {
        if let attachment = lock({ attachment }) { return attachment }
        throw DaybookError(
            .cannotRelateToUnsaved,
            "The relation to \(Target.self) belongs to an object that was not put, so the store"
                + " has no links of it. Put the object first.",
            details: ["entity": "\(Target.self)"])
    }
}

extension ToMany: RelationProperty {
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        let attachment = lock { self.attachment }
        try host.requireSameStore(attachment)
        try host.relation.require(Target.self)
        let isOwn = host.isHost(of: attachment)
        // A relation of another object is copied as a whole, so it is read.
        let isForeign = attachment != nil && !isOwn
        if isForeign {
            // Another thread may reset it, or settle a put.
            repeat { try resolve() } while !resolved
        }
        let (list, lostChange, generation) = lock { (self.list, self.lostChange, self.generation) }
        if let lostChange { throw lostChange }
        if isOwn, !list.hasChanges { return noteUnchanged(list, in: &puts, of: host) }
        let isWhole = list.isWhole || isForeign
        var added: [EncodedGraph.End] = []
        var new: [Int: EncodedGraph.End] = [:]
        for member in isWhole ? list.members : list.added {
            let id = member.storedId
            if id == 0 || member.isRolledBack {
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
            added: added, removed: removed, new: new, isWhole: isWhole || host.isNew,
            tokens: Set(list.members.map(\.token)), replaceCount: list.replaceCount,
            generation: generation)
        puts.whenPut { self.settle(host, noted, $0) }
    }

    /// Notes that a put of the object writes none of the links. The links that were read are read
    /// again at the next use.
    private func noteUnchanged(
        _ list: MemberList<Target>, in puts: inout GraphBuilder, of host: GraphHost
    ) {
        let attachment = lock { self.attachment }
        let renewed = host.renewed(attachment)
        guard renewed != nil || (list.hasBase && attachment?.isCurrent == true) else { return }
        puts.whenPut { _ in
            self.lock {
                if let renewed { self.attachment = renewed }
                self.list.markStale()
                self.readStamp += 1
            }
            return nil
        }
    }

    /// The changes that a put noted.
    private struct NotedMembers {
        var added: [EncodedGraph.End]
        var removed: [Id]
        /// The objects that were new, by their tokens.
        var new: [Int: EncodedGraph.End]
        /// Whether the store has exactly these members after the put.
        var isWhole: Bool
        var tokens: Set<Int>
        var replaceCount: Int
        var generation: Int

        func written(_ outcome: GraphOutcome) -> MemberList<Target>.Written {
            .init(
                added: added.map { outcome.id(of: $0) }, removed: removed,
                newIds: new.mapValues { outcome.id(of: $0) }, isWhole: isWhole, tokens: tokens,
                replaceCount: replaceCount)
        }
    }

    /// Attaches the relation to its object. What was put is not a change any more. Returns how to
    /// undo both if the transaction is rolled back.
    private func settle(
        _ host: GraphHost, _ noted: NotedMembers, _ outcome: GraphOutcome
    ) -> (() -> Void)? {
        let written = noted.written(outcome)
        let transaction = host.types.engine.changingTransaction
        let before = lock {
            let before = (attachment: attachment, list: list)
            attachment = host.attachment(after: outcome) ?? attachment
            // A reset during the put has discarded what was put.
            guard generation == noted.generation else { return before }
            readStamp += 1
            settling = transaction
            list.settle(written)
            return before
        }
        return {
            // Objects are released outside the lock.
            let old = self.lock {
                let old = self.list
                self.attachment = before.attachment
                self.readStamp += 1
                // A reset since the put has discarded what was put.
                guard self.generation == noted.generation else { return old }
                self.settling = nil
                self.list.rollBack(to: before.list, written.newIds)
                return old
            }
            withExtendedLifetime(old) {}
        }
    }
}

/// Stored as links, not in the row of the object.
extension ToMany: PropertyValue {
    /// A relation to objects of the target's type.
    public static var propertyType: PropertyType { .toMany(Target.self) }
    /// True: the row does not contain the relation.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`: a collection cannot contain relations.
    public static func read(_ value: borrowing ValueReader) throws -> ToMany {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`: a collection cannot contain relations.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Makes a relation whose objects are read when they are first used.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> ToMany {
        _ = try row.field(index, .toMany)
        return ToMany(Attachment(row.types, .field(index), host: row.id))
    }
    /// Writes nothing to the row. The put writes the links.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .toMany)
        row.relations.append(WrittenRelation(place: .field(index), relation: self))
    }
}
