package import DaybookBytes
import DaybookLog

extension Engine {
    /// The number of commits that one call of ``commits(before:limit:matching:_:)`` reads at most.
    package static let searchedCommitsMax: UInt64 = 20_000

    /// Returns commits before a sequence, newest first, and the sequence before which the next call
    /// continues; nil if no commit is left. Returns fewer than `limit` commits, and even none, if
    /// the filter rejects most of ``searchedCommitsMax`` commits.
    ///
    /// A filter for an entity, an object or kinds rejects commits without an accepted change. The
    /// counts contain the accepted changes only.
    ///
    /// Cost: one pass over the log of the commits that are read, and a lookup for each 20,000
    /// sequences, whether or not they have commits. Memory: the returned commits.
    /// Throws `.invalidArgument` for an unknown entity, `.corruption`, `.interrupted`, `.closed`.
    package func commits(
        before sequence: UInt64? = nil, limit: Int, matching filter: EventFilter = EventFilter(),
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> (commits: [CommitCounts], next: UInt64?) {
        try requireOpen()
        let newest = readableSequence
        var upper = min(newest, sequence.map { $0 == 0 ? 0 : $0 - 1 } ?? newest)
        guard limit > 0 else { return ([], upper == 0 ? nil : upper + 1) }
        var found: [CommitCounts] = []
        // Each part of the log is read once. The parts grow, because the filter may accept few
        // commits, and each part costs a lookup of its begin.
        var partCount = min(UInt64(limit), Self.searchedCommitsMax)
        var restCount = Self.searchedCommitsMax
        while upper > 0, found.count < limit, restCount > 0 {
            let lower = upper > partCount ? upper - partCount + 1 : 1
            let missing = limit - found.count
            let (part, readCount) = try commits(
                in: lower...upper, matching: filter, atMost: missing, control)
            found += part.suffix(missing).reversed()
            guard part.count <= missing else { break }
            restCount -= min(restCount, readCount)
            partCount = min(partCount * 4, restCount)
            upper = lower - 1
        }
        if found.count == limit, let last = found.last?.commit.sequence {
            return (found, last > 1 ? last : nil)
        }
        return (found, upper > 0 ? upper + 1 : nil)
    }

    /// Returns the last accepted commits of a range, at least `count` of them if there are so many,
    /// and one more if there are more.
    private func commits(
        in sequences: ClosedRange<UInt64>, matching filter: EventFilter, atMost count: Int,
        _ control: OperationControl
    ) throws(DaybookError) -> (accepted: [CommitCounts], readCount: UInt64) {
        var transactions = LogTransactions(
            LogFrames(
                try log.scan(fromSequence: sequences.lowerBound), after: sequences.lowerBound - 1,
                until: sequences.upperBound),
            CountedRecords(try recordFilter(filter)))
        var found: [CommitCounts] = []
        var readCount: UInt64 = 0
        while let transaction = try transactions.next(control) {
            readCount += 1
            let contents = transaction.contents
            guard filter.accepts(transaction.commit.metadata),
                !filter.isSelective || !contents.isEmpty
            else { continue }
            found.append(
                CommitCounts(
                    commit: transaction.commit, objects: contents.objects, links: contents.links,
                    unlinks: contents.unlinks))
            // Dropping as many elements as remain keeps the cost of removal linear.
            if found.count / 2 > count { found.removeFirst(found.count - count - 1) }
        }
        return (found, readCount)
    }

    /// Returns a commit with its first `limit` changes, and whether it has more; nil if the log has
    /// no commit with this sequence.
    ///
    /// Cost: a read of the commit. Memory: the frames of the returned changes. Throws `.corruption`
    /// and `.closed`.
    package func commit(
        _ sequence: UInt64, limit: Int
    ) throws(DaybookError) -> (changes: CommitChanges, hasMore: Bool)? {
        try requireOpen()
        guard sequence > 0, sequence <= readableSequence else { return nil }
        var transactions = LogTransactions(
            LogFrames(
                try log.scan(fromSequence: sequence), after: sequence - 1, until: sequence),
            FirstRecords(limit: limit))
        guard let transaction = try transactions.next() else { return nil }
        let contents = transaction.contents
        return (
            CommitChanges(transaction.commit, contents.records, VersionLookup(self)),
            contents.hasMore
        )
    }
}

extension EventFilter {
    /// Whether the filter may reject changes, and not only transactions by their metadata.
    fileprivate var isSelective: Bool {
        entity != nil || id != nil || kinds.count < EventKind.allCases.count
    }
}
