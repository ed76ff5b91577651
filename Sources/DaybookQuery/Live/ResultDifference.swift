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
    /// both lists changed.
    ///
    /// The number of moves is minimal. Cost: O(n) for the common prefix and suffix, O(n log n) for
    /// the rest.
    package init(
        from old: [UInt64], to new: [UInt64], isModified: (UInt64) -> Bool
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
                deletions.append(place)
            }
        }
        insertions = newPlaces.values.sorted()
        let unmoved = stayed.map(\.to).longestAscent(by: <)
        var isMoved = Set<Int>()
        for (place, move) in stayed.enumerated() where !unmoved.contains(place) {
            isMoved.insert(move.from)
            moves.append(move)
        }
        moves.sort { $0.to < $1.to }
        let kept = [0..<start, oldEnd..<old.count]
        for place in kept[0] where isModified(old[place]) { modifications.append(place) }
        for move in stayed where !isMoved.contains(move.from) && isModified(old[move.from]) {
            modifications.append(move.from)
        }
        for place in kept[1] where isModified(old[place]) { modifications.append(place) }
    }

    /// An object and its place in a list.
    package struct Placed: Sendable, Hashable {
        package var id: UInt64
        package var place: Int

        package init(id: UInt64, place: Int) {
            self.id = id
            self.place = place
        }
    }

    /// The difference between two lists that is known by the changed objects. All other objects
    /// keep their order, and only changed objects are moved.
    ///
    /// Cost: O(k log k) for k changed objects.
    ///
    /// - Parameters:
    ///   - removed: the objects to remove, by their places in the old list, ascending. An object
    ///     that is inserted again stays, and is moved if its order changes.
    ///   - inserted: the objects to insert, by their places in the new list, ascending.
    ///   - modified: the places in the old list of the objects that changed.
    package init(removed: [Placed], inserted: [Placed], modified: [Int]) {
        // The rank is the number of unchanged objects in front.
        var departures: [UInt64: (place: Int, rank: Int)] = [:]
        for (count, object) in removed.enumerated() {
            departures[object.id] = (object.place, object.place - count)
        }
        var returned: [Move] = []
        for (count, object) in inserted.enumerated() {
            guard let old = departures.removeValue(forKey: object.id) else {
                insertions.append(object.place)
                continue
            }
            let move = Move(from: old.place, to: object.place)
            if old.rank == object.place - count {
                returned.append(move)
            } else {
                moves.append(move)
            }
        }
        deletions = departures.values.map(\.place).sorted()
        let unmoved = returned.map(\.from).longestAscent(by: <)
        for (index, move) in returned.enumerated() where !unmoved.contains(index) {
            moves.append(move)
        }
        moves.sort { $0.to < $1.to }
        let gone = Set(removedPlaces)
        modifications = modified.filter { !gone.contains($0) }.sorted()
    }

    /// The places in the old list of deletions and moves, ascending.
    private var removedPlaces: [Int] { (deletions + moves.map(\.from)).sorted() }

    /// The places in the new list of insertions and moves, ascending.
    package var insertedPlaces: [Int] { (insertions + moves.map(\.to)).sorted() }

    /// The places in the new list of the modified objects, ascending. Cost: O(k log k) for k
    /// changes.
    package var modifiedPlaces: [Int] {
        let (removed, inserted) = (removedPlaces, insertedPlaces)
        var (removedCount, insertedCount) = (0, 0)
        return modifications.map { place in
            while removedCount < removed.count, removed[removedCount] < place { removedCount += 1 }
            var new = place - removedCount + insertedCount
            while insertedCount < inserted.count, inserted[insertedCount] <= new {
                insertedCount += 1
                new += 1
            }
            return new
        }
    }

    /// Applies the difference to the old list. `inserted` returns the element for each inserted
    /// place of the new list.
    ///
    /// Cost: a copy of the elements between the first and the last removed or inserted one, and a
    /// move of the elements after them if the count changes.
    package func apply<Element>(
        to list: inout [Element], inserting inserted: (_ place: Int) throws -> Element
    ) rethrows {
        let (removed, arrivals) = (removedPlaces, insertedPlaces)
        guard let start = [removed.first, arrivals.first].compactMap({ $0 }).min() else { return }
        let newCount = list.count - removed.count + arrivals.count
        let tailCount = min(
            list.count - 1 - (removed.last ?? -1), newCount - 1 - (arrivals.last ?? -1))
        let origins = Dictionary(uniqueKeysWithValues: moves.map { ($0.to, $0.from) })
        var stretch: [Element] = []
        stretch.reserveCapacity(newCount - tailCount - start)
        var (place, removedCount, insertedCount) = (start, 0, 0)
        for newPlace in start..<(newCount - tailCount) {
            if insertedCount < arrivals.count, arrivals[insertedCount] == newPlace {
                insertedCount += 1
                if let origin = origins[newPlace] {
                    stretch.append(list[origin])
                } else {
                    stretch.append(try inserted(newPlace))
                }
                continue
            }
            while removedCount < removed.count, removed[removedCount] == place {
                removedCount += 1
                place += 1
            }
            stretch.append(list[place])
            place += 1
        }
        list.replaceSubrange(start..<(list.count - tailCount), with: stretch)
    }
}
