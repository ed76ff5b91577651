package import DaybookBytes
package import DaybookPages

/// A hash of a state: stores with the same hash give the same answers.
///
/// It covers the schema, each entity's next id, each object's id and sequence, each link and list
/// element in key order, and the objects' rows. It does not cover locations, which compaction
/// changes, or removed ids, which compaction drops.
package enum StateHash {
    /// The hash of indexes and rows.
    package static func compute(
        _ reader: PageReader, schema: Schema, rows: StateRows
    ) throws(DaybookError) -> UInt64 {
        var buffer = ByteWriter(capacity: 24)
        buffer.uint64(try computeIndexes(reader, schema: schema))
        buffer.uint64(rows.count)
        buffer.uint64(rows.sum)
        return XXH64.hash(buffer.span)
    }

    /// The hash of the indexes without the rows. Cost: an iteration over all trees.
    package static func computeIndexes(
        _ reader: PageReader, schema: Schema
    ) throws(DaybookError) -> UInt64 {
        var hash = XXH64()
        var buffer = ByteWriter(capacity: 1 << 16)
        schema.encode(to: &buffer)
        var entities = try reader.words(IndexTree.entities, from: 1)
        while let entity = try entities.next() {
            buffer.uint64(entity.key)
            buffer.uint64(entity.value.first)
            try addObjects(
                IndexTree.objects(of: UInt32(truncatingIfNeeded: entity.key)), reader, &buffer,
                &hash)
        }
        for tree in try reader.trees().sorted() where IndexTree.isLinks(tree) {
            var links = try reader.pairs(tree)
            while let link = try links.next() {
                buffer.uint32(tree)
                buffer.uint64(link.first)
                buffer.uint64(link.second)
                flush(&buffer, &hash)
            }
        }
        for tree in try reader.trees().sorted() where IndexTree.isLists(tree) {
            var elements = try reader.bytes(tree)
            while let element = try elements.next() {
                buffer.uint32(tree)
                buffer.lengthPrefixed(element.key.span)
                buffer.uint64(element.value)
                flush(&buffer, &hash)
            }
        }
        hash.update(buffer.span)
        return hash.digest()
    }

    private static func addObjects(
        _ tree: TreeID, _ reader: PageReader, _ buffer: inout ByteWriter, _ hash: inout XXH64
    ) throws(DaybookError) {
        var cursor = try reader.words(tree)
        while let entry = try cursor.next() {
            let object = ObjectEntry(entry.value)
            if object.isRemoved { continue }
            buffer.uint64(entry.key)
            buffer.uint64(object.sequence)
            flush(&buffer, &hash)
        }
    }

    private static func flush(_ buffer: inout ByteWriter, _ hash: inout XXH64) {
        guard buffer.count >= 1 << 16 else { return }
        hash.update(buffer.span)
        buffer.removeAll()
    }
}
