// The calls that generated code makes for the backlinks of an entity.

extension RowReader {
    /// Returns the backlink at `index` in the backlinks of the entity's description: the objects
    /// with a relation to the row's object. The first use reads the objects.
    public func backlink<Source: Entity>(_ index: Int) -> ToMany<Source> {
        ToMany(Attachment(types, .backlink(index), host: id))
    }
}

extension RowWriter {
    /// Adds the changes of the backlink at `index` to the put. The row itself contains no data of
    /// the backlink.
    public mutating func write<Source: Entity>(
        _ value: ToMany<Source>, backlink index: Int
    ) throws {
        relations.append(WrittenRelation(place: .backlink(index), relation: value))
    }

    /// Adds a read-only backlink to the put. The put writes none of its links. After the put, the
    /// next use of the backlink reads the links again.
    package mutating func write<Source: Entity>(readOnly value: ToMany<Source>, backlink index: Int)
    {
        relations.append(
            WrittenRelation(place: .backlink(index), relation: ReadOnlyBacklink(objects: value)))
    }
}

private struct ReadOnlyBacklink<Source: Entity>: RelationProperty {
    let objects: ToMany<Source>

    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        let attachment = objects.lock { objects.attachment }
        // A backlink of another object stays with that object.
        guard attachment == nil || host.isHost(of: attachment) else { return }
        try objects.note(in: &puts, of: host)
    }
}
