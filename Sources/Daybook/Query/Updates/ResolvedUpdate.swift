import DaybookBytes
import DaybookEngine
import DaybookQuery
import DaybookRecords

/// New values for properties of the objects of a query, with resolved names.
struct ResolvedUpdate: Sendable {
    /// A new value of a property in the row, or of members of its embedded value, or both.
    private struct FieldChange: Sendable {
        var field: Int
        var property: QueryProperty
        /// Nil if only members change.
        var value: BoundExpression?
        /// The new values of members, by their paths in the embedded value.
        var members: [(path: ArraySlice<QueryProperty>, value: BoundExpression)] = []
    }

    /// A new target of a to-one relation.
    private struct TargetChange: Sendable {
        var relation: UInt32
        var before: BoundExpression
        var target: BoundExpression
    }

    /// The new state of an object.
    private struct NewState {
        var id: Id
        /// The row; nil if it stays.
        var row: [UInt8]?
        /// The relations with a new target.
        var targets: [(relation: UInt32, id: Id?)] = []
    }

    private let binding: EntityBinding
    /// In the order of the fields.
    private var fields: [FieldChange] = []
    private var targets: [TargetChange] = []
    /// Whether a changed property belongs to a unique index whose conflicts are no errors.
    private var hasConflictRule = false

    /// Throws `.invalidArgument` for unknown names and for properties that cannot be set,
    /// `.primaryKeyChanged` for properties of the primary key.
    init(
        _ assigned: [AssignedValues.Assignment], of binding: EntityBinding,
        in model: QueryModel
    ) throws(DaybookError) {
        self.binding = binding
        let resolver = ConditionResolver(model)
        let members = model.entities[binding.entity]?.members ?? [:]
        for assignment in assigned {
            let (path, value) = (assignment.path, assignment.value)
            let name = path.steps.last ?? ""
            if path.steps.count > 1 {
                try add(path, try resolver.resolve(value, of: binding.entity), resolver)
                continue
            }
            let own = path != .ownId ? members[name] : nil
            switch own {
            case .property(let property):
                guard let field = binding.layout.field(of: property) else {
                    throw Self.unsettable(path, binding)
                }
                if binding.primaryKey?.columns.contains(field) == true {
                    throw Self.primaryKeyChanged(path, binding)
                }
                fields.append(
                    FieldChange(
                        field: field, property: property,
                        value: try resolver.resolve(value, of: binding.entity)))
            case .relation(let relation) where relation.isToOne && !relation.isBackward:
                guard let number = relation.relationID else {
                    throw Self.unsettable(path, binding)
                }
                targets.append(
                    TargetChange(
                        relation: number, before: .linked(relation, .id),
                        target: try resolver.resolve(value, of: binding.entity)))
            case .id, .relation, nil:
                // An unknown name is reported as such.
                if path != .ownId { _ = try resolver.resolve(.property(path), of: binding.entity) }
                throw Self.unsettable(path, binding)
            }
        }
        // A row is encoded in the order of its fields.
        fields.sort { $0.field < $1.field }
        let layout = binding.layout.layout
        let changed = Set(fields.map { layout.fields[$0.field].propertyID })
        hasConflictRule = layout.indexes.contains { index in
            (binding.onConflict[index.indexID] ?? .fail) != .fail
                && !changed.isDisjoint(with: index.propertyIDs)
        }
    }

    /// Adds a new value of a member of an embedded value. Throws `.invalidArgument` for other
    /// paths.
    private mutating func add(
        _ path: PropertyPath, _ value: BoundExpression, _ resolver: ConditionResolver
    ) throws(DaybookError) {
        let found = try resolver.resolve(.property(path), of: binding.entity)
        guard case .column(let column) = found, let property = column.path.first,
            let field = binding.layout.field(of: property)
        else { throw Self.unsettable(path, binding) }
        let member = (path: column.path.dropFirst(), value: value)
        if let known = fields.firstIndex(where: { $0.field == field }) {
            fields[known].members.append(member)
        } else {
            fields.append(FieldChange(field: field, property: property, members: [member]))
        }
    }

    /// Changes the objects and returns the number of changed ones. All values are calculated before
    /// the first change.
    func run(
        _ ids: [Id], in transaction: WriteTransaction, _ types: StoreTypes
    ) throws -> Int {
        let states = try types.query { try newStates(of: ids, $0, types) }
        guard !states.isEmpty else { return 0 }
        var count = 0
        guard !hasConflictRule else {
            for state in states where try put(state, in: transaction) { count += 1 }
            return count
        }
        try transaction.deferringUniqueness {
            for state in states where try put(state, in: transaction) { count += 1 }
        }
        return count
    }

    /// The new states of the objects that change.
    private func newStates(
        of ids: [Id], _ access: QueryAccess, _ types: StoreTypes
    ) throws -> [NewState] {
        let entity = binding.entity
        let values = fields.map { field in
            field.value.map { ExpressionReader($0, access, entity: entity) }
        }
        let members = fields.map { field in
            field.members.map { ExpressionReader($0.value, access, entity: entity) }
        }
        let embedded = EmbeddedUpdate(types: types)
        let ends = targets.map { target in
            (
                relation: target.relation,
                before: ExpressionReader(target.before, access, entity: entity),
                target: ExpressionReader(target.target, access, entity: entity)
            )
        }
        var encoder = RowEncoder(binding.layout)
        var states: [NewState] = []
        try access.forEachRow(entity, ids) { row, layout, id in
            var state = NewState(id: id)
            for end in ends {
                let target = try end.target.value(in: row, layout: layout, id: id)
                guard try end.before.value(in: row, layout: layout, id: id) != target else {
                    continue
                }
                state.targets.append((end.relation, Self.id(target)))
            }
            if !fields.isEmpty {
                let before = try binding.current(row, layout: layout)
                encoder.begin()
                for (place, change) in fields.enumerated() {
                    let value = try values[place]?.value(in: row, layout: layout, id: id)
                    guard !change.members.isEmpty else {
                        try encoder.set(value ?? .null, at: change.field, of: binding.layout)
                        continue
                    }
                    var bytes = try stored(value, change, before)
                    for (member, reader) in zip(change.members, members[place]) {
                        bytes = try embedded.set(
                            bytes, of: change.property, at: member.path,
                            to: try reader.value(in: row, layout: layout, id: id))
                    }
                    try encoder.set(stored: bytes, at: change.field)
                }
                encoder.finish()
                let after = try binding.layout.merging(before.span, encoder.row) { field in
                    fields.contains { $0.field == field }
                }
                if after != before { state.row = after }
            }
            if state.row != nil || !state.targets.isEmpty { states.append(state) }
            return true
        }
        return states
    }

    /// The embedded value whose members change: the new one, or without one that of the row.
    private func stored(
        _ value: QueryValue?, _ change: FieldChange, _ row: [UInt8]
    ) throws -> [UInt8]? {
        guard let value else { return try binding.layout.value(at: change.field, in: row) }
        return value == .null ? nil : try value.bytes(as: change.property.shape.type)
    }

    /// Returns false if a conflict rule left the object as it was, or removed it.
    private func put(
        _ state: NewState, in transaction: WriteTransaction
    ) throws(DaybookError) -> Bool {
        // A conflict rule may have removed it since.
        guard try transaction.changes.contains(binding.entity, state.id) else { return false }
        var isChanged = !state.targets.isEmpty
        for (relation, target) in state.targets {
            try transaction.changes.setTarget(relation, state.id, target)
        }
        if let row = state.row {
            let outcome = try transaction.changes.put(
                binding.entity, state.id, layout: binding.layoutID, row: row.span,
                binding.completed(PutOptions(mode: .update)))
            isChanged = isChanged || outcome.effect != .ignored
        }
        return isChanged
    }

    private static func id(_ value: QueryValue) -> Id? {
        if case .integer(let id) = value { Id(exactly: id) } else { nil }
    }

    private static func unsettable(_ path: PropertyPath, _ binding: EntityBinding) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "'\(path)' of \(binding.name) cannot be set by an update. Set properties of the object"
                + " itself, members of its embedded values and to-one relations, not an id, a"
                + " relation to many, a backlink or a property of another object.",
            details: ["entity": binding.name, "property": "\(path)"])
    }

    private static func primaryKeyChanged(
        _ path: PropertyPath, _ binding: EntityBinding
    ) -> DaybookError {
        DaybookError(
            .primaryKeyChanged,
            "'\(path)' belongs to the primary key of \(binding.name), which identifies its objects"
                + " and cannot be changed. Put new objects, and remove the old ones.",
            details: ["entity": binding.name, "property": "\(path)"])
    }
}
