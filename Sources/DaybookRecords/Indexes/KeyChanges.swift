package import DaybookBytes
package import DaybookPages

/// Changes of index trees: first removed entries, then inserted ones.
package struct KeyChanges: Sendable {
    /// An index, and the form of its tree.
    package struct Place: Hashable, Sendable {
        package var index: UInt32
        var isHashed: Bool
        var isText: Bool
        /// The vectors of a vector index.
        var vectors: VectorForm?

        init(_ index: IndexPlan.Index) {
            self.index = index.indexID
            isHashed = index.form == .hashed
            isText = index.form == .text
            if case .vector(let form) = index.form { vectors = form }
        }
    }

    private struct Entry {
        var place: Place
        /// Whether the key identifies the entry without the object's id.
        var isShared: Bool
        var id: UInt64
        /// The range of the tree key's bytes.
        var key: Range<Int>
    }

    /// Whether related changes were applied before. A removed key may then already belong to
    /// another object.
    private let isPart: Bool
    private var removals: [Entry] = []
    private var insertions: [Entry] = []
    /// The numbers of words in the new texts of objects, by the number of the text index.
    private var wordCounts: [UInt32: [(id: UInt64, wordCount: UInt64)]] = [:]
    /// The objects whose vectors change, and the range of the new vector's bytes, if it has one.
    private var vectors: [(place: Place, id: UInt64, bytes: Range<Int>?)] = []
    private var bytes = ByteWriter(capacity: 16)
    /// Objects whose entries are removed by a search through the index.
    private(set) var forgotten: [Place: Set<UInt64>] = [:]
    /// Existing objects with unreadable keys, by index number.
    private(set) var missing: [UInt32: Set<UInt64>] = [:]

    package init(isPart: Bool = false) { self.isPart = isPart }

    /// Whether there are no changes.
    package var isEmpty: Bool {
        removals.isEmpty && insertions.isEmpty && wordCounts.isEmpty && vectors.isEmpty
            && forgotten.isEmpty && missing.isEmpty
    }

    /// The total length of the keys.
    package var byteCount: Int { bytes.count }

    /// Replaces an object's key in an index; nil for no key. For a text, changes only the words
    /// that one of both lacks.
    package mutating func replace(
        _ old: IndexKey?, by new: IndexKey?, in index: IndexPlan.Index, id: UInt64
    ) {
        guard old != new else { return }
        if index.form == .text {
            let wordCount = new?.wordCount ?? 0
            if wordCount != old?.wordCount ?? 0 {
                wordCounts[index.indexID, default: []].append((id, wordCount))
            }
            DistinctWords.forEachDifference(old?.bytes ?? [], new?.bytes ?? []) { word, isNew in
                let entry = entry(word, index, id)
                if isNew { insertions.append(entry) } else { removals.append(entry) }
            }
            return
        }
        if case .vector = index.form {
            let start = bytes.count
            if let new { bytes.append(new.bytes.span) }
            vectors.append(
                (Place(index), id, start < bytes.count ? start..<bytes.count : nil))
            return
        }
        if let old { removals.append(entry(old, index, id)) }
        if let new { insertions.append(entry(new, index, id)) }
    }

    /// Removes the entries of an object whose old keys are unreadable.
    package mutating func forget(_ id: UInt64, in indexes: [IndexPlan.Index]) {
        for index in indexes { forgotten[Place(index), default: []].insert(id) }
    }

    /// Records that the new keys of an object are unreadable.
    package mutating func miss(_ id: UInt64, in indexes: [IndexPlan.Index]) {
        for index in indexes { missing[index.indexID, default: []].insert(id) }
    }

    private mutating func entry(
        _ key: IndexKey, _ index: IndexPlan.Index, _ id: UInt64
    ) -> Entry {
        let start = bytes.count
        switch index.form {
        case .hashed: bytes.uint64(key.hash)
        case .unique, .ordered, .folded, .text, .vector:
            key.write(toUnique: index.form == .unique, id: id, to: &bytes)
        }
        return Entry(
            place: Place(index), isShared: index.form == .unique && !key.hasNull, id: id,
            key: start..<bytes.count)
    }

    /// The entry of a word, which ends with 00.
    private mutating func entry(
        _ word: Span<UInt8>, _ index: IndexPlan.Index, _ id: UInt64
    ) -> Entry {
        let start = bytes.count
        bytes.append(word)
        bytes.uint64(id.byteSwapped)
        return Entry(place: Place(index), isShared: false, id: id, key: start..<bytes.count)
    }

    /// Applies the changes; `isWanted` returns whether an index contains an object.
    package func apply(
        to space: PageSpace, where isWanted: (_ index: UInt32, _ id: UInt64) -> Bool
    ) throws(DaybookError) {
        // Removals come first: another object may take a removed key.
        for entry in removals where isWanted(entry.place.index, entry.id) {
            let tree = IndexTree.index(entry.place.index)
            let key = bytes.span.extracting(entry.key)
            if entry.place.isHashed {
                _ = try space.remove(tree, key.loadLittleEndian(at: 0) ?? 0, entry.id)
                continue
            }
            if isPart, entry.isShared, try space.working.get(tree, bytes: key) != entry.id {
                continue
            }
            _ = try space.remove(tree, bytes: key)
        }
        for entry in insertions where isWanted(entry.place.index, entry.id) {
            let tree = IndexTree.index(entry.place.index)
            let key = bytes.span.extracting(entry.key)
            if entry.place.isHashed {
                _ = try space.insert(tree, key.loadLittleEndian(at: 0) ?? 0, entry.id)
            } else {
                _ = try space.put(tree, bytes: key, entry.id)
            }
        }
        for (index, counts) in wordCounts {
            try space.setWordCounts(
                counts.filter { isWanted(index, $0.id) }, ofIndex: index)
        }
        for (place, id, range) in vectors where isWanted(place.index, id) {
            guard let form = place.vectors else { continue }
            var graph = VectorGraph(writing: space, index: place.index, form)
            try graph.remove(id, in: space)
            if let range { try graph.insert(id, bytes.span.extracting(range), in: space) }
        }
    }
}

extension KeyChanges.Place {
    /// Removes the entries of some objects. Cost: an iteration over the index, except for vectors.
    func sweep(_ ids: Set<UInt64>, from space: PageSpace) throws(DaybookError) {
        guard !ids.isEmpty else { return }
        if let vectors {
            var graph = VectorGraph(writing: space, index: index, vectors)
            for id in ids.sorted() { try graph.remove(id, in: space) }
            return
        }
        let tree = IndexTree.index(index)
        if isText { try space.setWordCounts(ids.map { ($0, 0) }, ofIndex: index) }
        if isHashed {
            var found: [(UInt64, UInt64)] = []
            var cursor = try space.working.pairs(tree)
            while let pair = try cursor.next() {
                if ids.contains(pair.second) { found.append((pair.first, pair.second)) }
            }
            for pair in found { _ = try space.remove(tree, pair.0, pair.1) }
        } else {
            var found: [[UInt8]] = []
            var cursor = try space.working.bytes(tree)
            while let entry = try cursor.next() {
                if ids.contains(entry.value) { found.append(entry.key) }
            }
            for key in found { _ = try space.remove(tree, bytes: key.span) }
        }
    }
}
