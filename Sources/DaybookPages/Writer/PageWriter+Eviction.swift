internal import DaybookBytes

// Evicts groups of pages that a snapshot contains.
extension PageWriter {
    /// Frees up to `count` groups without used pages, or else evicts linked groups, all of whose
    /// pages the adopted snapshot contains. The groups take turns in the order of their numbers.
    ///
    /// Called in a transaction without changes, whose version must be published. Pages of the
    /// catalog stay in memory, because the end of a transaction cannot fail, and so do those of
    /// the trees `kept`, which are small and of fixed-size entries.
    mutating func evict(
        _ count: Int, keeping kept: [TreeID], _ readers: ReaderRegistry
    ) {
        retired.reclaim(readers) { page in allocator.reclaim(page) }
        let count = count - freeEmptyGroups(count)
        guard let captured, count > 0 else { return }
        let keptGroups = groups(of: kept)
        var evicted: [Int] = []
        for _ in 0..<allocator.groupCount where evicted.count < count {
            evictionHand = evictionHand + 1 < allocator.groupCount ? evictionHand + 1 : 0
            if table.isResident(group: evictionHand),
                allocator.isContained(evictionHand, inSnapshotOf: captured),
                !keptGroups.contains(evictionHand)
            {
                evicted.append(evictionHand)
            }
        }
        allocator.withdraw(evicted)
        source.evict(evicted, from: table, number: sequence)
    }

    /// Frees up to `count` empty groups and returns their number. No reader can reach their pages,
    /// so their memory is freed at once.
    private mutating func freeEmptyGroups(_ count: Int) -> Int {
        guard count > 0 else { return 0 }
        let empty = (source.sharedGroupCount..<allocator.groupCount)
            .lazy.filter { [allocator] group in allocator.isEmpty(group) }.prefix(count)
        let groups = Array(empty)
        allocator.abandon(groups)
        for group in groups { table.unlink(group)?.deallocate() }
        source.noteRemoved(groups.count)
        return groups.count
    }

    /// The number of groups that a snapshot of the newest state would allow to evict.
    var unsavedGroupCount: Int {
        (0..<allocator.groupCount).count { group in
            allocator.isContained(group, inSnapshotOf: sequence)
                && (captured.map { !allocator.isContained(group, inSnapshotOf: $0) } ?? true)
        }
    }

    /// The groups with pages of the catalog and of some trees, as far as they are in memory.
    private mutating func groups(of trees: [TreeID]) -> Set<Int> {
        var groups: Set<Int> = []
        gather(WordLayout.self, version.catalog, level: nil, &groups)
        for tree in trees {
            // The record is in the catalog, and its root may be damaged.
            guard let record = try? record(of: tree) else { continue }
            switch record.kind {
            case .words: gather(WordLayout.self, record.root, level: record.level, &groups)
            case .pairs: gather(PairLayout.self, record.root, level: record.level, &groups)
            case .bytes, .overflow, .free: break
            }
        }
        return groups
    }

    private func gather<Layout: FixedLayout>(
        _: Layout.Type, _ number: UInt32, level: Int?, _ groups: inout Set<Int>
    ) {
        guard let page = table.residentPage(number),
            page.tag == Layout.kind.tag(level: level ?? page.level)
        else { return }
        groups.insert(Int(number >> 4))
        guard page.level > 0 else { return }
        let inner = FixedInner<Layout>(page)
        for index in 0..<inner.count {
            gather(Layout.self, inner.child(index), level: page.level - 1, &groups)
        }
    }
}
