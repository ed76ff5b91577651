// The keys of a map of objects. The order of its slots has no meaning.

extension ListRelation {
    /// Returns the index of the slot with a key. Cost: O(1), and O(n) after a change of the list
    /// that is not a change of a key.
    private func index(ofKey key: String) -> Int? {
        if places.slotsVersion != slotsVersion {
            let indexes = slots.indices.compactMap { index in slots[index].key.map { ($0, index) } }
            // Two keys may differ only in the form of their characters.
            places = (slotsVersion, Dictionary(indexes) { first, _ in first })
        }
        return places.indexes[key]
    }

    /// The object of a key, read if necessary; nil if the map does not have the key.
    package func element(forKey key: String) -> Element? {
        try? resolve()
        return index(ofKey: key).map { slots[$0].element }
    }

    /// Sets the object of a key.
    package func set(_ element: Element, forKey key: String) {
        guard isReadForChange() else { return }
        if let index = index(ofKey: key) {
            slots[index] = slot(element, key: key)
        } else {
            slots.append(slot(element, key: key))
            places.indexes[key] = slots.count - 1
        }
        places.slotsVersion = slotsVersion
        changed()
    }

    /// Removes a key, if the map has it.
    package func remove(key: String) {
        guard isReadForChange(), let index = index(ofKey: key) else { return }
        let last = slots.count - 1
        if index != last, let moved = slots[last].key {
            slots.swapAt(index, last)
            places.indexes[moved] = index
        }
        slots.removeLast()
        places.indexes[key] = nil
        places.slotsVersion = slotsVersion
        changed()
    }
}
