import DaybookBytes
import DaybookEngine

/// Kept as a link beside the host's row.
extension ToOne: PropertyValue {
    /// A relation to the target's type.
    public static var propertyType: PropertyType { .toOne(Target.self) }
    /// True: it may lead nowhere.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`: no relation stands in a collection.
    public static func read(_ value: borrowing ValueReader) throws -> ToOne {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`: no relation stands in a collection.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Leads where the store's link does, which is looked up when it is asked for.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> ToOne {
        _ = try row.field(index, .toOne)
        return ToOne(Attachment(row.types, .field(index), host: row.id))
    }
    /// Writes nothing to the row: the link is the put's affair.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .toOne)
        row.relations.append(WrittenRelation(place: .field(index), relation: self))
    }
}

extension DaybookError {
    static var misplacedRelation: DaybookError {
        DaybookError(
            .schemaMismatch,
            "A relation stands in a collection or another value. Declare it as a property of its"
                + " own; for many objects there are ToMany and List.")
    }
}

extension ToOne: RelationProperty {
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        let (attachment, state, isEdited, generation) = lock {
            (self.attachment, self.state, self.isEdited, self.generation)
        }
        try host.requireSameStore(attachment)
        if !isEdited, host.isHost(of: attachment) {
            if let renewed = host.renewed(attachment) {
                puts.whenPut { _ in
                    self.lock { self.attachment = renewed }
                    return nil
                }
            }
            return
        }
        var target: EncodedGraph.End?
        switch state {
        case .stored:
            // It came from another host, and stands for what that one has.
            target = try resolveId().map { .id($0) }
        case .id(let id): target = id.map { .id($0) }
        case .object(let id, _): target = .id(id)
        case .new(let object):
            let isStored = object.entityId != 0 && !lock { isTakenBack }
            target = isStored ? .id(object.entityId) : .node(try puts.add(object))
        }
        if case .id(0)? = target { throw host.unsaved(Target.self) }
        if target != nil || !host.isNew { puts.note(.target(target), of: host) }
        puts.whenPut { self.settle(host, generation, target, $0) }
    }

    /// Attaches it to its host, as what was put.
    private func settle(
        _ host: GraphHost, _ generation: Int, _ target: EncodedGraph.End?,
        _ outcome: GraphOutcome
    ) -> (() -> Void)? {
        let id = target.map { outcome.id(of: $0) }
        // The same put may have set it from the other side, so the next use reads it.
        let isUnread = id == nil && outcome.isLinked(host.end)
        let isOwn = host.isHost(of: lock { attachment })
        let before = lock { () -> (Attachment?, State, Bool) in
            let before = (attachment, state, isEdited)
            // What another host shares, as a struct does with its copies, stays that one's.
            let isShared = attachment != nil && !isOwn
            if !isShared { attachment = host.attachment(after: outcome) ?? attachment }
            // What was set meanwhile is not put yet.
            guard self.generation == generation else { return before }
            if !isShared { isEdited = false }
            isTakenBack = false
            if case .new(var object) = state, let id {
                // An object of a class has its id by now.
                if !(Target.self is AnyClass) { object.entityId = id }
                state = .object(id, object)
            } else if case .stored = state {
                state = .id(id)
            } else if case .id(nil) = state, isUnread {
                state = .stored
            }
            return before
        }
        // What leads nowhere may stay as it is: nothing was written for it.
        if id == nil, before.0 == nil, !isUnread { return nil }
        return {
            self.lock {
                self.attachment = before.0
                guard self.generation == generation else { return }
                (self.state, self.isEdited, self.isTakenBack) = (before.1, before.2, true)
            }
        }
    }
}
