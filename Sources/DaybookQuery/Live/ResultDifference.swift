/// What became of the result of a query between two versions, as a list on a screen is told:
/// first take out what was at ``deletions`` and at the beginnings of ``moves``, then put in, from
/// the first to the last, what is at ``insertions`` and at the ends of ``moves``.
package struct ResultDifference: Sendable, Hashable {
    /// An object that stands elsewhere among those that stayed.
    package struct Move: Sendable, Hashable {
        /// In the old result.
        package var from: Int
        /// In the new result.
        package var to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// Places in the old result of what is not in the new one, ascending.
    package var deletions: [Int] = []
    /// Places in the new result of what was not in the old one, ascending.
    package var insertions: [Int] = []
    /// Places in the old result of objects that have changed and stayed, ascending. One that moved
    /// is not among them: a list refuses to do both with one row, and shows it anew anyway.
    package var modifications: [Int] = []
    /// What moved, by the new places, ascending.
    package var moves: [Move] = []

    package init() {}

    /// Whether there is nothing to tell.
    package var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && moves.isEmpty
    }

    /// What differs between two lists, each of which has an id once, and `isModified` says of what
    /// is in both whether it changed. The lists stand at `offset` of the whole results.
    ///
    /// As few as possible move. Cost: what the lists have in common at both ends is skipped, and
    /// asked for changes alone; for the rest O(n log n).
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
        let unmoved = stayed.map(\.to).longestAscent()
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

    /// The new list, made of the old one and of what `inserted` gives for each place in the new
    /// one that something is inserted at.
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

extension [Int] {
    /// The places of a longest run of ascending numbers among these, which differ. Cost:
    /// O(n log n).
    fileprivate func longestAscent() -> Set<Int> {
        // The place of the lowest number that ends an ascent of that length.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: count)
        for place in indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if self[ends[middle]] < self[place] { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[place] = ends[low - 1] }
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var places: Set<Int> = []
        var place = ends.last ?? -1
        while place >= 0 {
            places.insert(place)
            place = before[place]
        }
        return places
    }
}
