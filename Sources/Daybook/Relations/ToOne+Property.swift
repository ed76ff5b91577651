import DaybookBytes
import DaybookEngine

/// The relation as a property: the store keeps its link outside the owner's row.
extension ToOne: PropertyValue {
    /// The type of a to-one relation to `Target`.
    public static var propertyType: PropertyType { .toOne(Target.self) }
    /// Always true, because the relation may have no target.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`, because a collection cannot contain relations.
    public static func read(_ value: borrowing ValueReader) throws -> ToOne {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`, because a collection cannot contain relations.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Creates a relation that reads its link at the first use.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> ToOne {
        ToOne(try row.links(index, .toOne))
    }
    /// Adds the relation to the relations that the put writes. Writes nothing to the row.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.add(self, at: index, .toOne)
    }
}

extension DaybookError {
    static var misplacedRelation: DaybookError {
        DaybookError(
            .schemaMismatch,
            "A collection or another value contains a relation. Declare the relation as a property"
                + " of the entity; for many objects, use ToMany or List.")
    }
}

extension ToOne: RelationProperty {
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        let (attachment, state, isEdited, isStale, generation) = lock {
            (self.attachment, self.state, self.isEdited, self.isStale, self.generation)
        }
        try host.requireSameStore(attachment)
        if !isEdited, host.isHost(of: attachment) {
            return noteUnchanged(state, generation, in: &puts, of: host)
        }
        var target: EncodedGraph.End?
        switch state {
        case .new(let object):
            let isStored = object.entityId != 0 && !lock { isRolledBack }
            target = isStored ? .id(object.entityId) : .node(try puts.add(Self.own(object)))
        case .id(let id) where !isStale: target = id.map { .id($0) }
        case .object(let id, _) where !isStale: target = .id(id)
        case .stored, .id, .object:
            // The relation belongs to another object. Read its link to copy it.
            target = try resolveId().map { .id($0) }
        }
        if case .id(0)? = target { throw host.unsaved(Target.self) }
        if target != nil || !host.isNew { puts.note(.target(target), of: host) }
        puts.whenPut { self.settle(host, generation, target, $0) }
    }

    /// Notes a put of the host that does not write the link. The next use after the put reads the
    /// link again.
    private func noteUnchanged(
        _ state: LinkState, _ generation: Int, in puts: inout GraphBuilder, of host: GraphHost
    ) {
        let attachment = lock { self.attachment }
        let renewed = host.renewed(attachment)
        var isRead = attachment?.isCurrent == true
        if case .stored = state { isRead = false }
        guard renewed != nil || isRead else { return }
        puts.whenPut { _ in
            self.lock {
                if let renewed { self.attachment = renewed }
                guard self.generation == generation else { return }
                self.isStale = true
                self.readStamp += 1
            }
            return nil
        }
    }

    /// Attaches the relation to its host, and clears the change that the put wrote. Returns a
    /// closure that undoes both when the transaction is rolled back.
    private func settle(
        _ host: GraphHost, _ generation: Int, _ target: EncodedGraph.End?,
        _ outcome: GraphOutcome
    ) -> (() -> Void)? {
        let id = target.map { outcome.id(of: $0) }
        let isOwn = host.isHost(of: lock { attachment })
        let transaction = host.types.engine.changingTransaction
        let before = lock { () -> (Attachment?, LinkState, Bool, Bool, SettledCommit) in
            let before = (attachment, state, isEdited, isStale, settled)
            // A relation of another host, such as a copy of a struct, stays attached to that host.
            let isShared = attachment != nil && !isOwn
            if !isShared { attachment = host.attachment(after: outcome) ?? attachment }
            // A target that was set during the put is not written yet.
            guard self.generation == generation else { return before }
            readStamp += 1
            isRolledBack = false
            if case .new(var object) = state, let id {
                // A class instance has its id already.
                if !(Target.self is AnyClass) { object.entityId = id }
                state = .object(id, object)
            } else if case .stored = state {
                state = .id(id)
            }
            if !isShared {
                (isEdited, isStale) = (false, true)
                settled.note(transaction, of: host.types.engine)
            }
            return before
        }
        return {
            // Release the target outside the lock.
            let old = self.lock { () -> LinkState in
                let old = self.state
                (self.attachment, self.settled) = (before.0, before.4)
                self.readStamp += 1
                guard self.generation == generation else { return old }
                (self.state, self.isEdited, self.isStale) = (before.1, before.2, before.3)
                self.isRolledBack = true
                return old
            }
            withExtendedLifetime(old) {}
        }
    }
}
