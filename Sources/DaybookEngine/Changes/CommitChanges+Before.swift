package import DaybookBytes
import DaybookRecords

extension CommitChanges {
    /// The number of versions that one pass over the log looks for: their keys take some 16 MB.
    private static let passCountMax = 1 << 18

    /// A pass over the log does not pay for fewer versions than these: a lookup keeps the frames
    /// that it read for the next commit.
    private static let passCountMin = 16

    /// Calls `visit` with the versions before some of the objects. The order is that of the log, so
    /// it may differ from that of `indices`. The rows retain the frames that contain them.
    ///
    /// Cost: none for an insert; for the others one pass over the transactions that wrote the
    /// versions, for each quarter of a million of them. Throws `.corruption`, `.closed`, the errors
    /// of `visit`, and `.interrupted` if `isCancelled`, which is called for each frame, returns
    /// true. After an error, the remaining objects are not visited.
    package func forEachBefore(
        of indices: some Sequence<Int>, isCancelled: () -> Bool = { false },
        _ visit: (Int, Before) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        var wanted: [VersionKey: Int] = [:]
        for index in indices {
            let change = objects[index]
            let key = VersionKey(entity: change.entity, id: change.id, sequence: change.previous)
            // The log has one version of an object in a transaction.
            guard change.previous > 0, wanted[key] == nil else {
                try visit(index, try versionBefore(index))
                continue
            }
            wanted[key] = index
            if wanted.count == Self.passCountMax { try find(&wanted, isCancelled, visit) }
        }
        try find(&wanted, isCancelled, visit)
    }

    /// Visits all of `wanted`, and empties it.
    private func find(
        _ wanted: inout [VersionKey: Int], _ isCancelled: () -> Bool,
        _ visit: (Int, Before) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        defer { wanted.removeAll(keepingCapacity: true) }
        guard wanted.count >= Self.passCountMin else {
            for index in wanted.values.sorted() {
                if isCancelled() { throw .interrupted }
                try visit(index, try versionBefore(index))
            }
            return
        }
        try lookup.forEachRow(&wanted, isCancelled) { index, row throws(DaybookError) in
            try visit(index, row.map { .row($0) } ?? .none)
        }
        for (key, index) in wanted {
            let error = lookup.missing(key)
            guard error.code == .historyTruncated else { throw error }
            try visit(index, .gone)
        }
    }
}
