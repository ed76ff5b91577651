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

    /// Notes a backlink that is only read. A put writes none of its links. After the put the
    /// backlink reads the links at its next use.
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
