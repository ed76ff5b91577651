import DaybookBytes
import DaybookEngine
import DaybookIndex

extension EntityBinding {
    /// The index of a primary key, and the places of its properties in the row.
    struct PrimaryKey: Sendable {
        let index: UInt32
        let columns: [Int]

        init?(_ layout: EntityLayout) {
            guard let index = layout.indexes.first(where: \.isPrimaryKey) else { return nil }
            self.index = index.indexID
            columns = index.propertyIDs.compactMap { propertyID in
                layout.fields.firstIndex { $0.propertyID == propertyID }
            }
        }
    }

    /// A key that an index can be asked for.
    struct SoughtKey: Sendable {
        let index: UInt32
        let key: IndexKey
    }

    /// Throws `.invalidArgument` where the entity has none.
    @discardableResult
    func requirePrimaryKey() throws(DaybookError) -> PrimaryKey {
        if let primaryKey { return primaryKey }
        throw DaybookError(
            .invalidArgument,
            "'\(name)' has no primary key. Mark a property with @PrimaryKey, or use ids.",
            details: ["entity": name])
    }

    /// The primary key of these values, in the order of the declaration. Throws `.invalidArgument`
    /// for another number of values, or other types.
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
        // Rows take their fields in order, whatever the order of the key.
        for part in parts.sorted(by: { $0.column < $1.column }) {
            if let bytes = part.bytes { try row.set(value: bytes.span, at: part.column) }
        }
        row.finish()
        return SoughtKey(
            index: primaryKey.index, key: try IndexKey(primaryKey.columns, of: row.row, layout))
    }

    /// The id of the object that has the primary key of an encoded row; 0 where there is none.
    func id(ofKeyIn row: Span<UInt8>) throws -> Id {
        guard let primaryKey else { return 0 }
        let key = try IndexKey(primaryKey.columns, of: row, layout)
        return try engine.find(entity, index: primaryKey.index, key) ?? 0
    }

    /// What an object is found by.
    enum Sought: Sendable {
        case id(Id)
        case key(SoughtKey)
    }

    /// The object's id or, where it keeps none, its primary key; id 0 where it has neither.
    func sought<E: Entity>(_ object: E, _ types: StoreTypes) throws -> Sought {
        guard object.entityId == 0, let primaryKey else { return .id(object.entityId) }
        let row = try encode(object, types)
        let key = try IndexKey(primaryKey.columns, of: row.encoder.row, layout)
        return .key(SoughtKey(index: primaryKey.index, key: key))
    }

    /// The id of what is sought; 0 where there is no object of that key.
    func id(of sought: Sought) throws -> Id {
        switch sought {
        case .id(let id): id
        case .key(let key): try engine.find(entity, index: key.index, key.key) ?? 0
        }
    }

    /// The id of an object; 0 where it is not stored.
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
    /// What a put does that breaks a unique index. The layout has the indexes in the order of the
    /// description.
    func conflictRules(in layout: EntityLayout) -> [UInt32: DaybookEngine.UniqueConflict] {
        var rules: [UInt32: DaybookEngine.UniqueConflict] = [:]
        for (index, declared) in zip(layout.indexes, indexes) {
            if let conflict = declared.conflict { rules[index.indexID] = conflict.rule }
        }
        return rules
    }
}

extension UniqueConflict {
    fileprivate var rule: DaybookEngine.UniqueConflict {
        switch self {
        case .fail: .fail
        case .replace: .replace
        case .update: .update
        case .ignore: .ignore
        }
    }
}
