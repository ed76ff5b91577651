package import DaybookBytes

extension PageSpace {
    // MARK: Transactions

    /// Begins a transaction. `sequence` must be above the sequence of the last transaction.
    ///
    /// Frees unreachable pages in batches: from time to time it examines all readers, which costs
    /// about 100 ns.
    package func begin(sequence: UInt64) {
        writer.withWriter { writer in writer.begin(sequence, readers) }
    }

    /// Ends the transaction. The working state becomes an immutable version, which readers see
    /// after ``publish(_:)``. More transactions may begin before that.
    package func end() -> PageVersion {
        writer.withWriter { writer in writer.end() }
    }

    /// Reads the writer's state, with all changes so far. For the writer's thread only. A cursor is
    /// valid until the next change.
    package var working: PageReader {
        let sequence = writer.withWriter { writer in writer.sequence }
        return PageReader(working: table, sequence: sequence)
    }

    /// Removes all entries of a tree of any kind; a missing tree is no error. Visits each of its
    /// pages.
    package func clear(_ tree: TreeID) throws(DaybookError) {
        try writer.withWriter { (writer) throws(DaybookError) in try writer.clear(tree) }
    }

    // MARK: Maps from words

    /// Sets the value of a key and returns the previous value. 10 to 300 ns.
    ///
    /// - Throws: like all changes, `.corruption` if pages cannot be read from the snapshot or the
    ///   tree is of another kind, and `.outOfSpace` at 256 GiB of pages. The tree is then
    ///   unchanged. Only if pages of the snapshot contradict each other (`details["snapshot"]` is
    ///   `"pages"`) may the change be incomplete; the space is then unusable.
    @discardableResult
    package func put(
        _ tree: TreeID, _ key: UInt64, _ value: WordValue
    ) throws(DaybookError) -> WordValue? {
        try writer.withWriter { (writer) throws(DaybookError) in
            try writer.select(tree, .words)
            return try writer.put(WordLayout.self, key, value)
        }
    }

    /// Removes a key and returns its value; nil if the key does not exist.
    @discardableResult
    package func remove(_ tree: TreeID, _ key: UInt64) throws(DaybookError) -> WordValue? {
        try writer.withWriter { (writer) throws(DaybookError) in
            try writer.select(tree, .words)
            return try writer.remove(WordLayout.self, key)
        }
    }

    // MARK: Sets of pairs

    /// Adds a pair; false if it already exists.
    @discardableResult
    package func insert(
        _ tree: TreeID, _ first: UInt64, _ second: UInt64
    ) throws(DaybookError) -> Bool {
        try writer.withWriter { (writer) throws(DaybookError) in
            try writer.select(tree, .pairs)
            let key = PairLayout.key(first, second)
            return try writer.put(PairLayout.self, key, PairLayout.Nothing()) == nil
        }
    }

    /// Removes a pair; false if it does not exist.
    @discardableResult
    package func remove(
        _ tree: TreeID, _ first: UInt64, _ second: UInt64
    ) throws(DaybookError) -> Bool {
        try writer.withWriter { (writer) throws(DaybookError) in
            try writer.select(tree, .pairs)
            return try writer.remove(PairLayout.self, PairLayout.key(first, second)) != nil
        }
    }

    // MARK: Maps from byte strings

    /// Sets the value of a byte string and returns the previous value.
    ///
    /// - Throws: like all changes, and `.invalidValue` for a key of more than 16 MiB.
    @discardableResult
    package func put(
        _ tree: TreeID, bytes key: Span<UInt8>, _ value: UInt64
    ) throws(DaybookError) -> UInt64? {
        try writer.withWriter { (writer) throws(DaybookError) in
            try writer.select(tree, .bytes)
            return try key.withKeyBytes { (key) throws(DaybookError) in
                try writer.put(key, value)
            }
        }
    }

    /// Removes a byte string and returns its value; nil if it does not exist.
    @discardableResult
    package func remove(
        _ tree: TreeID, bytes key: Span<UInt8>
    ) throws(DaybookError) -> UInt64? {
        try writer.withWriter { (writer) throws(DaybookError) in
            try writer.select(tree, .bytes)
            return try key.withKeyBytes { (key) throws(DaybookError) in try writer.remove(key) }
        }
    }
}
