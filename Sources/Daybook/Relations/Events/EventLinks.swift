import DaybookBytes
import DaybookRecords

// The relations of events. An event is never changed, and is not the end of a link, so its row
// contains the ids of the objects to which it links. `PropertyType.inEvent` defines the form.

extension PropertyType {
    /// The type that is stored in an event: ids instead of a relation. A relation with keys has no
    /// such type.
    var inEvent: PropertyType {
        switch field.inEvent {
        case .uint64: .uint64
        case .list: .list(of: .uint64)
        default: self
        }
    }
}

extension FieldType {
    /// The type that replaces a relation in an event; nil for other types.
    fileprivate var inEvent: FieldType? {
        switch self {
        case .toOne: .uint64
        case .toMany, .objects: .list
        default: nil
        }
    }
}

extension RowReader {
    /// Returns the links of the relation at `index`; nil if the row does not belong to a stored
    /// object or event.
    ///
    /// Throws `.schemaMismatch` if the description has another type for the property.
    @inline(__always)
    func links(_ index: Int, _ type: FieldType) throws -> Attachment? {
        if view.has(index, of: type) { return Attachment(types, .field(index), host: id) }
        return try eventLinks(index, type)
    }

    @inline(never)
    private func eventLinks(_ index: Int, _ type: FieldType) throws -> Attachment? {
        guard types.owner?.layout.layout.kind == .event, let stored = type.inEvent else {
            _ = try field(index, type)
            return nil
        }
        let targets: [UInt64] =
            stored == .list
            ? try read(index) : try read(index, as: UInt64?.self).map { [$0] } ?? []
        return Attachment(types, .field(index), event: id, targets: targets)
    }
}

extension RowWriter {
    /// Adds a relation to the relations that the put writes. The row has no data of it; the row of
    /// an event gets the ids when the objects have theirs.
    ///
    /// Throws `.schemaMismatch` if the description has another type for the property.
    mutating func add(
        _ relation: any RelationProperty, at index: Int, _ type: FieldType
    ) throws {
        if layout.layout.kind == .event, let stored = type.inEvent {
            try check(index, stored)
            try writeNull(at: index)
        } else {
            try check(index, type)
        }
        relations.append(WrittenRelation(place: .field(index), relation: relation))
    }
}
