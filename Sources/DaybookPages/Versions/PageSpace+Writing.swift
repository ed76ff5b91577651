package import DaybookBytes

extension PageSpace {
    // MARK: Transactions

    /// Begins a transaction. `sequence` must be above that of the last one.
    ///
    /// Takes back pages that nobody can reach any more, a batch at a time: now and then it looks at
    /// all readers, which costs about 100 ns.
    package func begin(sequence: UInt64) {
        writer.withWriter { writer in writer.begin(sequence, readers) }
    }

    /// Ends the transaction: the working state becomes an immutable version, which readers see
    /// after ``publish(_:)``. More transactions may begin before that.
    package func end() -> PageVersion {
        writer.withWriter { writer in writer.end() }
    }

    /// Reads the writer's state, with all changes so far; for the writer's thread only. A cursor is
    /// good until the next change.
    package var working: PageReader {
        let sequence = writer.withWriter { writer in writer.sequence }
        return PageReader(working: table, sequence: sequence)
    }

    /// Removes all entries of a tree, of whichever kind; one that is not there changes nothing.
    /// Cost: a look at each of its pages.
    package func clear(_ tree: TreeID) throws(DaybookError) {
        try writer.withWriter { (writer) throws(DaybookError) in try writer.clear(tree) }
    }

    // MARK: Maps from words

    /// Sets the value of a key and returns the one it replaces. 10 to 300 ns.
    ///
    /// - Throws: like all changes, `.corruption` where pages cannot be read from the snapshot or
    ///   the tree is of another kind, `.outOfSpace` when there are 256 GiB of pages; the tree is
    ///   then as it was. Only where pages of the snapshot contradict each other
    ///   (`details["snapshot"]` is then `"pages"`) may it be changed half way; the space is then of
    ///   no use.
    @discardableResult
    package func put(
        _ tree: TreeID, _ key: UInt64, _ value: WordValue
    ) throws(DaybookError) -> WordValue? {
        try writer.withWriter { (writer) throws(DaybookError) in
            try writer.select(tree, .words)
            return try writer.put(WordLayout.self, key, value)
        }
    }

    /// Removes a key and returns its value; nil where it is not there, which changes nothing.
    @discardableResult
    package func remove(_ tree: TreeID, _ key: UInt64) throws(DaybookError) -> WordValue? {
        try writer.withWriter { (writer) throws(DaybookError) in
            try writer.select(tree, .words)
            return try writer.remove(WordLayout.self, key)
        }
    }

    // MARK: Sets of pairs

    /// Adds a pair; false where it is there already, which changes nothing.
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

    /// Removes a pair; false where it is not there, which changes nothing.
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

    /// Sets the word of a byte string and returns the one it replaces.
    ///
    /// - Throws: besides what every change throws, `.invalidValue` for a key of more than 16 MiB.
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

    /// Removes a byte string and returns its word; nil where it is not there, which changes
    /// nothing.
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
