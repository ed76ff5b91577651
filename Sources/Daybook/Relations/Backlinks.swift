// What code for an entity calls for its backlinks.

extension RowReader {
    /// The objects that relate to this one by the backlink at `index` among those of the entity's
    /// description. They are read when they are asked for.
    public func backlink<Source: Entity>(_ index: Int) -> ToMany<Source> {
        ToMany(Attachment(types, .backlink(index), host: id))
    }
}

extension RowWriter {
    /// Notes what was changed of the backlink at `index`. Nothing of it is in the row.
    public mutating func write<Source: Entity>(
        _ value: ToMany<Source>, backlink index: Int
    ) throws {
        relations.append(WrittenRelation(place: .backlink(index), relation: value))
    }
}
