import DaybookBytes

/// The difference between the results of a query at two versions, in the form that list views need:
/// first remove the objects at ``deletions`` and at the old places of ``moves``; then insert, in
/// ascending order, the objects at ``insertions`` and at the new places of ``moves``.
package struct ResultDifference: Sendable, Hashable {
    /// An object in both results whose relative order changed.
    package struct Move: Sendable, Hashable {
        /// The place in the old result.
        package var from: Int
        /// The place in the new result.
        package var to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// The places in the old result of objects that are not in the new one, ascending.
    package var deletions: [Int] = []
    /// The places in the new result of objects that are not in the old one, ascending.
    package var insertions: [Int] = []
    /// The places in the old result of objects that changed and stayed, ascending. Moved objects
    /// are not included: list views do not accept both for one row, and reload a moved row anyway.
    package var modifications: [Int] = []
    /// The moved objects, by their new places, ascending.
    package var moves: [Move] = []

    package init() {}

    /// The difference between two lists that have no objects in common.
    package init(replacing oldCount: Int, with newCount: Int) {
        deletions = Array(0..<oldCount)
        insertions = Array(0..<newCount)
    }

    /// Whether there are no changes.
    package var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && moves.isEmpty
    }

    /// The difference between two lists of distinct ids. `isModified` returns whether an object in
    /// both lists changed. `offset` is the place of both lists in the whole results.
    ///
    /// The number of moves is minimal. Cost: O(n) for the common prefix and suffix, O(n log n) for
    /// the rest.
    package init(
        from old: [UInt64], to new: [UInt64], offset: Int = 0, isModified: (UInt64) -> Bool
    ) {
        let shortest = min(old.count, new.count)
        var start = 0
        while start < shortest, old[start] == new[start] { start += 1 }
        var tail = 0
        while tail < shortest - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
            tail += 1
        }
        let oldEnd = old.count - tail
        let newEnd = new.count - tail
        var newPlaces: [UInt64: Int] = [:]
        for place in start..<newEnd { newPlaces[new[place]] = place }
        var stayed: [Move] = []
        for place in start..<oldEnd {
            if let newPlace = newPlaces.removeValue(forKey: old[place]) {
                stayed.append(Move(from: place, to: newPlace))
            } else {
                deletions.append(place + offset)
            }
        }
        insertions = newPlaces.values.sorted().map { $0 + offset }
        let unmoved = stayed.map(\.to).longestAscent(by: <)
        var isMoved = Set<Int>()
        for (place, move) in stayed.enumerated() where !unmoved.contains(place) {
            isMoved.insert(move.from)
            moves.append(Move(from: move.from + offset, to: move.to + offset))
        }
        moves.sort { $0.to < $1.to }
        let kept = [0..<start, oldEnd..<old.count]
        for place in kept[0] where isModified(old[place]) { modifications.append(place + offset) }
        for move in stayed where !isMoved.contains(move.from) && isModified(old[move.from]) {
            modifications.append(move.from + offset)
        }
        for place in kept[1] where isModified(old[place]) { modifications.append(place + offset) }
    }

    /// Applies the difference to the old list. `inserted` returns the element for each inserted
    /// place of the new list.
    package func applied<Element>(
        to old: [Element], inserting inserted: (_ place: Int) throws -> Element
    ) rethrows -> [Element] {
        let gone = Set(deletions).union(moves.map(\.from))
        var rest = old.indices.lazy.filter { !gone.contains($0) }.makeIterator()
        let arrivals = Dictionary(uniqueKeysWithValues: moves.map { ($0.to, $0.from) })
        let places = Set(insertions)
        var result: [Element] = []
        result.reserveCapacity(old.count - deletions.count + insertions.count)
        for place in 0..<(old.count - deletions.count + insertions.count) {
            if places.contains(place) {
                result.append(try inserted(place))
            } else if let from = arrivals[place] {
                result.append(old[from])
            } else if let from = rest.next() {
                result.append(old[from])
            }
        }
        return result
    }
}
