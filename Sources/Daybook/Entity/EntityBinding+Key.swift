import DaybookBytes
import DaybookEngine
import DaybookRecords

extension EntityBinding {
    /// The index of a primary key, and the field numbers of its properties in the row.
    struct PrimaryKey: Sendable {
        let index: UInt32
        let columns: [Int]

        init(index: UInt32, columns: [Int]) {
            self.index = index
            self.columns = columns
        }

        init?(_ layout: EntityLayout) {
            guard let index = layout.indexes.first(where: \.isPrimaryKey) else { return nil }
            self.index = index.indexID
            columns = index.propertyIDs.compactMap { propertyID in
                layout.fields.firstIndex { $0.propertyID == propertyID }
            }
        }
    }

    /// A key to look up in an index.
    struct SoughtKey: Sendable {
        let index: UInt32
        let key: IndexKey
    }

    /// Returns the primary key. Throws `.invalidArgument` if the entity has none, `.schemaMismatch`
    /// if the store has no primary key for it, or another one.
    @discardableResult
    func requirePrimaryKey() throws(DaybookError) -> PrimaryKey {
        guard let primaryKey else {
            throw DaybookError(
                .invalidArgument,
                "'\(name)' has no primary key. Mark a property with @PrimaryKey, or use ids.",
                details: ["entity": name])
        }
        return isFollowing ? try followed(primaryKey) : primaryKey
    }

    /// Returns the key with the number of its current index. A read-only store may have been opened
    /// before the key was declared, and the writer may change the key later.
    private func followed(_ primaryKey: PrimaryKey) throws(DaybookError) -> PrimaryKey {
        if let kept = engine.schemas.schema.currentLayout(ofEntity: entity),
            let index = kept.indexes.first(where: \.isPrimaryKey), isDeclared(index, in: kept)
        {
            return PrimaryKey(index: index.indexID, columns: primaryKey.columns)
        }
        throw DaybookError(
            .schemaMismatch,
            "The store has another primary key of '\(name)' than this program declares. Open it"
                + " for writing once with this program, or declare the stored key.",
            details: ["entity": name])
    }

    /// Whether a stored key has the properties of the declared key, with the same types.
    private func isDeclared(_ index: LayoutIndex, in kept: EntityLayout) -> Bool {
        let declared = layout.layout
        guard declared.indexes.first(where: \.isPrimaryKey)?.propertyIDs == index.propertyIDs
        else { return false }
        return index.propertyIDs.allSatisfy { propertyID in
            let one = declared.fields.first { $0.propertyID == propertyID }
            let other = kept.fields.first { $0.propertyID == propertyID }
            return one != nil && one?.type == other?.type
        }
    }

    /// Returns the primary key for values in the order of the declaration. Throws
    /// `.invalidArgument` for another number of values, or for other types.
    func primaryKey<each Value: PropertyValue>(
        _ values: repeat each Value, types: StoreTypes
    ) throws -> SoughtKey {
        let primaryKey = try requirePrimaryKey()
        var parts: [(column: Int, bytes: [UInt8]?)] = []
        for value in repeat each values {
            guard parts.count < primaryKey.columns.count else { throw wrongKey(primaryKey) }
            let column = primaryKey.columns[parts.count]
            guard layout.slots[column].type == type(of: value).propertyType.field else {
                throw wrongKey(primaryKey)
            }
            var writer = ValueWriter(types)
            try value.write(to: &writer)
            parts.append((column, writer.isNull ? nil : writer.bytes.bytes))
        }
        guard parts.count == primaryKey.columns.count else { throw wrongKey(primaryKey) }
        var row = RowEncoder(layout)
        // The encoder requires ascending fields, whatever the order of the key.
        for part in parts.sorted(by: { $0.column < $1.column }) {
            if let bytes = part.bytes { try row.set(value: bytes.span, at: part.column) }
        }
        row.finish()
        return SoughtKey(
            index: primaryKey.index, key: try IndexKey(primaryKey.columns, of: row.row, layout))
    }

    /// Returns the id of the object with the primary key of an encoded row; 0 if there is none.
    func id(ofKeyIn row: Span<UInt8>) throws -> Id {
        guard primaryKey != nil else { return 0 }
        return try id(of: .key(try soughtKey(in: row)))
    }

    private func soughtKey(in row: Span<UInt8>) throws(DaybookError) -> SoughtKey {
        let primaryKey = try requirePrimaryKey()
        return SoughtKey(
            index: primaryKey.index, key: try IndexKey(primaryKey.columns, of: row, layout))
    }

    /// How an object is looked up.
    enum Sought: Sendable {
        case id(Id)
        case key(SoughtKey)
    }

    /// Returns the object's id, or its primary key if it has no id; id 0 if it has neither.
    func sought<E: Entity>(_ object: E, _ types: StoreTypes) throws -> Sought {
        guard object.entityId == 0, primaryKey != nil else { return .id(object.entityId) }
        let row = try encode(object, types)
        return .key(try soughtKey(in: row.encoder.row))
    }

    /// Returns the row that a put replaces.
    func previous(of sought: Sought) throws -> StoredRow? {
        let id = try id(of: sought)
        return id == 0 ? nil : try previousRow(id)
    }

    /// Returns the row that a put replaces. Nil also if the row is unreadable because of damage:
    /// its values are lost, and the put must still be able to replace the object.
    func previousRow(_ id: Id) throws(DaybookError) -> StoredRow? {
        do throws(DaybookError) {
            return try engine.row(entity, id)
        } catch  where error.code == .corruption {
            return nil
        }
    }

    /// Looks up an id; 0 if no object has the key.
    func id(of sought: Sought) throws -> Id {
        switch sought {
        case .id(let id): id
        case .key(let key): try engine.find(entity, index: key.index, key.key) ?? 0
        }
    }

    /// Returns the id of an object; 0 if it is not stored.
    func id<E: Entity>(of object: E, _ types: StoreTypes) throws -> Id {
        try id(of: try sought(object, types))
    }

    private func wrongKey(_ primaryKey: PrimaryKey) -> DaybookError {
        let columns = primaryKey.columns.map { column in
            "\(layout.layout.fields[column].name): \(layout.slots[column].type.name)"
        }
        return DaybookError(
            .invalidArgument,
            "The primary key of '\(name)' is (\(columns.joined(separator: ", "))). Give a value of"
                + " each type, in that order.",
            details: ["entity": name])
    }
}

extension EntityDescription {
    /// Returns what a put does on a conflict, by unique index. The layout has the indexes in the
    /// order of the description.
    func conflictRules(in layout: EntityLayout) -> [UInt32: UniqueConflict] {
        var rules: [UInt32: UniqueConflict] = [:]
        for (index, declared) in zip(layout.indexes, indexes) {
            if let conflict = declared.conflict { rules[index.indexID] = conflict }
        }
        return rules
    }
}
