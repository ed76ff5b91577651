import DaybookBytes
import DaybookEngine

/// The number of objects in one batch of ``ToMany/forEachInDb(_:)``.
private let pieceCount = 256

// Writes of the changes, and reads that bypass the objects in memory.

extension ToMany {
    /// Writes the changes to the store: the new objects, and the links that were added and removed.
    ///
    /// After ``replace(_:)`` or `removeAll()` the store has exactly the links of the collection.
    /// Does nothing if the relation has no changes. The next use of the collection reads the links
    /// again.
    ///
    /// - Throws: `.cannotRelateToUnsaved` if the owner was never put, or the id of a struct among
    ///   the objects was set to 0; `.notFound` for an object that the store no longer has;
    ///   `.relationDenied`; the errors of a put of the new objects; and the errors of every write.
    ///   After an error nothing is written, and the changes stay pending.
    public func applyToDb() throws {
        guard hasChangesToApply else { return }
        let host = try writableHost()
        _ = try host.types.engine.putGraph(PutOptions(), host.types) { puts in
            try note(in: &puts, of: host)
            try puts.encode()
        }
    }

    /// Whether ``applyToDb()`` must write changes, or must throw the error of an earlier read.
    var hasChangesToApply: Bool { lock { list.hasChanges || lostChange != nil } }

    /// Returns the host whose links are written. Throws `.cannotRelateToUnsaved` if the host was
    /// never put, and `.readOnly` if it was read from a past version.
    func writableHost() throws -> GraphHost {
        guard let attachment = lock({ attachment }) else {
            throw DaybookError(
                .cannotRelateToUnsaved,
                "The relation to \(Target.self) belongs to an object that is not stored. Put the"
                    + " object. The put also writes its relations.",
                details: ["entity": "\(Target.self)"])
        }
        try attachment.requireCurrent()
        return GraphHost(
            end: .id(attachment.host),
            relation: try attachment.owner.relation(at: attachment.place, to: Target.self),
            place: attachment.place, isNew: false, id: attachment.host, types: attachment.types)
    }

    /// Reads and returns the stored objects of the relation, without the changes that were not
    /// written. Does not keep them.
    ///
    /// - Throws: The errors of ``Box/get(_:)``; `.cannotRelateToUnsaved` if the owner was
    ///   never put.
    public func getUncachedFromDb() throws -> [Target] {
        let attachment = try stored()
        return try attachment.decode(try attachment.rows(of: Target.self))
    }

    /// Reads and returns the ids of the stored objects of the relation, ascending. Reads no object.
    ///
    /// - Throws: The errors of ``getUncachedFromDb()``.
    public func getUncachedIdsFromDb() throws -> [EntityId<Target>] {
        try stored().ids(of: Target.self).map { EntityId($0) }
    }

    /// Returns the number of stored objects of the relation. Reads no object. The cost is a few
    /// nanoseconds per object.
    ///
    /// - Throws: The errors of ``getUncachedFromDb()``.
    public func countInDb() throws -> Int { try stored().count(of: Target.self) }

    /// Reads and returns a page of the stored objects of the relation, in ascending order of their
    /// ids. Does not keep them.
    ///
    /// - Parameters:
    ///   - id: The page starts with the first object whose id is greater.
    ///   - limit: The maximum number of objects.
    /// - Throws: The errors of ``getUncachedFromDb()``.
    public func page(after id: EntityId<Target> = 0, limit: Int) throws -> [Target] {
        let attachment = try stored()
        return try attachment.decode(
            try attachment.rows(of: Target.self, after: id.value, limit: Swift.max(0, limit)))
    }

    /// Calls `body` with each stored object of the relation, in ascending order of their ids.
    ///
    /// All objects come from one version. They are read in batches and not kept.
    ///
    /// - Throws: The errors of `body` and of ``getUncachedFromDb()``.
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

    /// Returns the attachment. Throws `.cannotRelateToUnsaved` if the host was never put.
    func stored() throws -> Attachment {
        if let attachment = lock({ attachment }) { return attachment }
        throw DaybookError(
            .cannotRelateToUnsaved,
            "The relation to \(Target.self) belongs to an object that is not stored, so the store"
                + " has no links for it. Put the object first.",
            details: ["entity": "\(Target.self)"])
    }
}

extension ToMany: RelationProperty {
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        let attachment = lock { self.attachment }
        try host.requireSameStore(attachment)
        try host.relation.require(Target.self)
        let isOwn = host.isHost(of: attachment)
        let isForeign = attachment != nil && !isOwn
        let former = lock { formerHosts.links(of: host) }
        if isForeign, former == nil || !hasMembers {
            // All links of another object's relation are copied, so they must be read. Another
            // thread may reset the relation or settle a put after the read.
            repeat { try load() } while !resolved && !isAhead
        }
        let (list, lostChange, generation) = lock { (self.list, self.lostChange, self.generation) }
        if let lostChange { throw lostChange }
        if isOwn, !list.hasChanges { return noteUnchanged(list, in: &puts, of: host) }
        let known = isForeign ? former?.ids(changedBy: list.replaceCount) : nil
        let isWhole = list.isWhole || (isForeign && known == nil)
        var added: [EncodedGraph.End] = []
        var new: [Int: EncodedGraph.End] = [:]
        for member in isWhole ? list.members : list.added(to: known) {
            let id = member.storedId
            if id == 0 || member.isRolledBack {
                let node = EncodedGraph.End.node(try puts.add(member.object))
                new[member.token] = node
                added.append(node)
            } else {
                added.append(.id(id))
            }
        }
        let removed = isOwn || (known != nil && !isWhole) ? list.removed(from: known) : []
        if !added.isEmpty || !removed.isEmpty || (isWhole && !host.isNew) {
            puts.note(
                .members(added: added, removed: removed, isWhole: isWhole && !host.isNew), of: host)
        }
        let noted = NotedMembers(
            added: added, removed: removed, new: new, isWhole: isWhole || host.isNew, known: known,
            tokens: Set(list.members.map(\.token)), replaceCount: list.replaceCount,
            generation: generation)
        puts.whenPut { self.settle(host, noted, $0) }
    }

    /// Whether the list has the members of its host or, after a replacement, of any host.
    private var hasMembers: Bool { lock { list.hasBase || list.isWhole } }

    /// Notes a put of the host that writes none of the links. The next use after the put reads the
    /// links again.
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

    /// The changes of the relation that a put writes.
    private struct NotedMembers {
        var added: [EncodedGraph.End]
        var removed: [Id]
        /// The new objects by their tokens.
        var new: [Int: EncodedGraph.End]
        /// Whether the store has exactly these members after the put.
        var isWhole: Bool
        /// The links of the host before the put, if the relation belonged to another host.
        var known: Set<Id>?
        var tokens: Set<Int>
        var replaceCount: Int
        var generation: Int

        func written(_ outcome: GraphOutcome) -> MemberList<Target>.Written {
            .init(
                added: added.map { outcome.id(of: $0) }, removed: removed,
                newIds: new.mapValues { outcome.id(of: $0) }, isWhole: isWhole, known: known,
                tokens: tokens, replaceCount: replaceCount)
        }
    }

    /// Attaches the relation to its host, and clears the changes that the put wrote. Returns a
    /// closure that undoes both when the transaction is rolled back.
    private func settle(
        _ host: GraphHost, _ noted: NotedMembers, _ outcome: GraphOutcome
    ) -> (() -> Void)? {
        let written = noted.written(outcome)
        let transaction = host.types.engine.changingTransaction
        let before = lock {
            let before = (
                attachment: attachment, list: list, settled: settled, formerHosts: formerHosts
            )
            settled.note(transaction, of: host.types.engine)
            if let attachment, !host.isHost(of: attachment) {
                formerHosts.change(from: attachment, list.knownLinks, to: host)
            }
            attachment = host.attachment(after: outcome) ?? attachment
            // A reset during the put has discarded the changes.
            guard generation == noted.generation else { return before }
            readStamp += 1
            settling = transaction
            list.settle(written)
            return before
        }
        return {
            // Release the objects outside the lock.
            let old = self.lock {
                let old = self.list
                self.attachment = before.attachment
                self.settled = before.settled
                self.formerHosts = before.formerHosts
                self.readStamp += 1
                // A reset after the put has discarded the changes.
                guard self.generation == noted.generation else { return old }
                self.settling = nil
                self.list.rollBack(to: before.list, written.newIds)
                return old
            }
            withExtendedLifetime(old) {}
        }
    }
}

/// The relation as a property: the store keeps its links outside the owner's row.
extension ToMany: PropertyValue {
    /// The type of a to-many relation to `Target`.
    public static var propertyType: PropertyType { .toMany(Target.self) }
    /// Always true, because the row does not contain the relation.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`, because a collection cannot contain relations.
    public static func read(_ value: borrowing ValueReader) throws -> ToMany {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`, because a collection cannot contain relations.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Creates a relation that reads its objects at the first use.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> ToMany {
        ToMany(try row.links(index, .toMany))
    }
    /// Adds the relation to the relations that the put writes. Writes nothing to the row.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.add(self, at: index, .toMany)
    }
}
