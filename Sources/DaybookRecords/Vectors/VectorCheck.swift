package import DaybookBytes
package import DaybookPages

/// The check of a graph. Cost: reads all trees of the index.
package struct VectorCheck {
    /// What contradicts; nil for an intact graph.
    package private(set) var problem: String?
    /// The number of vectors.
    package private(set) var count = 0
    /// The number of vectors that links of the lowest layer lead to from the entry.
    package private(set) var reachedCount = 0
    /// The number of links in all layers, each counted at both ends.
    package private(set) var linkCount = 0

    private let reader: PageReader
    private let trees: VectorTrees
    private let form: VectorForm

    /// Throws errors of reading the trees; contradictions are in ``problem``.
    package init(
        _ reader: PageReader, index: UInt32, _ form: VectorForm
    ) throws(DaybookError) {
        self.reader = reader
        self.form = form
        trees = VectorTrees(index)
        let head = try reader.head(trees)
        let slots = try checkNodes(head)
        if problem == nil { try checkLinks(slots, head) }
        if problem == nil { try reach(head) }
    }

    private mutating func checkNodes(
        _ head: VectorHead
    ) throws(DaybookError) -> Set<UInt64> {
        var slots: Set<UInt64> = []
        var highest = 0
        var cursor = try reader.bytes(trees.nodes)
        while let entry = try cursor.next() {
            guard let slot = VectorTrees.slot(ofNode: entry.key), slot > 0, slot < head.next,
                entry.key.count == 8 + 4 * form.storedDimensions
            else {
                problem = "a node of \(entry.key.count) bytes"
                return slots
            }
            guard try reader.get(trees.ids, entry.value)?.first == slot else {
                problem = "object \(entry.value) does not have slot \(slot)"
                return slots
            }
            slots.insert(slot)
            highest = max(highest, VectorTrees.level(of: slot, form))
        }
        count = slots.count
        let idCount = try reader.count(trees.ids)
        if idCount != (try reader.get(trees.ids, 0) == nil ? 0 : count + 1) {
            problem = "\(idCount) objects and \(count) vectors"
        } else if count == 0 ? head.entry != 0 : !slots.contains(head.entry) {
            problem = "searches begin at slot \(head.entry), which does not exist"
        } else if count > 0, VectorTrees.level(of: head.entry, form) != highest {
            problem = "slot \(head.entry) is not in the highest layer, \(highest)"
        }
        return slots
    }

    private mutating func checkLinks(
        _ slots: Set<UInt64>, _ head: VectorHead
    ) throws(DaybookError) {
        var selfCount = 0
        var cursor = try reader.pairs(trees.links)
        while let pair = try cursor.next() {
            linkCount += 1
            let level = Int(pair.first >> 56)
            let slot = pair.first & (VectorTrees.slotMax - 1)
            guard slots.contains(slot), slots.contains(pair.second),
                level <= VectorTrees.level(of: slot, form),
                level <= VectorTrees.level(of: pair.second, form)
            else {
                problem = "slots \(slot) and \(pair.second) are not both in layer \(level)"
                return
            }
            if slot == pair.second { selfCount += level > 0 ? 1 : .min / 2 }
            guard
                try reader.contains(
                    trees.links, VectorTrees.place(pair.second, level), slot)
            else {
                problem = "slot \(pair.second) has no link back to \(slot) in layer \(level)"
                return
            }
        }
        if selfCount != slots.reduce(0, { $0 + VectorTrees.level(of: $1, form) }) {
            problem = "\(selfCount) slots are in layers above the lowest"
        }
    }

    private mutating func reach(_ head: VectorHead) throws(DaybookError) {
        guard head.entry > 0 else { return }
        var reached: Set<UInt64> = [head.entry]
        var waiting = [head.entry]
        while let slot = waiting.popLast() {
            let place = VectorTrees.place(slot, 0)
            var cursor = try reader.pairs(trees.links, from: (place, 0))
            while let pair = try cursor.next(), pair.first == place {
                if reached.insert(pair.second).inserted { waiting.append(pair.second) }
            }
        }
        reachedCount = reached.count
    }
}
