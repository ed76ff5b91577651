package import DaybookBytes
package import DaybookPages

/// Compares the property indexes of two versions with the same objects.
package enum IndexComparison {
    /// The first index whose entries differ or that only one version has; nil if all are equal.
    /// Incomplete indexes are skipped. Cost: an iteration over the trees of both versions.
    package static func firstDifference(
        _ one: PageReader, _ other: PageReader, schema: Schema
    ) throws(DaybookError) -> UInt32? {
        let left = try AppliedState.indexStates(in: one)
        let right = try AppliedState.indexStates(in: other)
        var wanted: [UInt32: LayoutIndex] = [:]
        for entity in schema.entities {
            let layout = schema.currentLayout(ofEntity: entity.id)
            for index in layout?.indexes ?? [] { wanted[index.indexID] = index }
        }
        var kept: Set<UInt32> = Set(left.keys).union(right.keys)
        for tree in try one.trees() + other.trees() {
            if let index = IndexTree.indexNumber(of: tree) { kept.insert(index) }
        }
        for index in kept.union(wanted.keys).sorted() {
            guard let definition = wanted[index], let left = left[index], let right = right[index]
            else { return index }
            guard left.isComplete, right.isComplete else { continue }
            let form = IndexPlan.Index.Form(definition)
            if try hash(of: index, form, one) != hash(of: index, form, other) { return index }
        }
        return nil
    }

    private static func hash(
        of index: UInt32, _ form: IndexPlan.Index.Form, _ reader: PageReader
    ) throws(DaybookError) -> UInt64 {
        var hash = XXH64()
        var buffer = ByteWriter(capacity: 1 << 16)
        switch form {
        case .hashed:
            var cursor = try reader.pairs(IndexTree.index(index))
            while let pair = try cursor.next() {
                buffer.uint64(pair.first)
                buffer.uint64(pair.second)
                flush(&buffer, into: &hash)
            }
        case .ordered, .unique, .folded, .text:
            var cursor = try reader.bytes(IndexTree.index(index))
            while let entry = try cursor.next() {
                buffer.lengthPrefixed(entry.key.span)
                buffer.uint64(entry.value)
                flush(&buffer, into: &hash)
            }
        case .vector(let vectors):
            // The graph depends on the order of the insertions, so the objects are compared.
            let check = try VectorCheck(reader, index: index, vectors)
            if let problem = check.problem {
                throw AppliedState.contradiction("vector index \(index) has \(problem)")
            }
            try reader.forEachVector(ofIndex: index) { id, bytes in
                buffer.uint64(id)
                buffer.lengthPrefixed(bytes)
                flush(&buffer, into: &hash)
            }
        }
        if form == .text {
            var cursor = try reader.words(IndexTree.texts(of: index))
            while let entry = try cursor.next() {
                buffer.uint64(entry.key)
                buffer.uint64(entry.value.first)
                buffer.uint64(entry.value.second)
                flush(&buffer, into: &hash)
            }
        }
        hash.update(buffer.span)
        return hash.digest()
    }

    private static func flush(_ buffer: inout ByteWriter, into hash: inout XXH64) {
        guard buffer.count >= 1 << 16 else { return }
        hash.update(buffer.span)
        buffer.removeAll()
    }
}
