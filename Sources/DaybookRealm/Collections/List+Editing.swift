// A list has reference semantics: these methods can be called on a `let`. Positions that are out of
// bounds trap, like those of an array. If a list of objects cannot be read, a change has no effect,
// and the next put throws the error. A slice shares the list's storage: a change of the slice
// changes the list.

extension List {
    /// Appends an element. Reads nothing.
    public func append(_ element: Element) { append(objectsIn: CollectionOfOne(element)) }

    /// Appends elements in their order. Reads nothing.
    public func append(objectsIn newElements: some Sequence<Element>) {
        guard let relation else { return edit { $0.append(contentsOf: newElements) } }
        relation.append(Array(newElements))
    }

    /// Inserts an element before a position. The position may be the count.
    public func insert(_ element: Element, at index: Int) {
        replaceSubrange(index..<index, with: CollectionOfOne(element))
    }

    /// Inserts elements before a position, in their order.
    public func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
        replaceSubrange(index..<index, with: newElements)
    }

    /// Replaces the element at a position.
    public func replace(index: Int, object element: Element) {
        replaceSubrange(index..<index + 1, with: CollectionOfOne(element))
    }

    /// Replaces the elements in a range of positions.
    public func replaceSubrange(
        _ range: some RangeExpression<Int>, with newElements: some Collection<Element>
    ) {
        guard let relation else {
            return edit { $0.replaceSubrange(range.relative(to: $0), with: newElements) }
        }
        relation.replaceSubrange(range, with: Array(newElements))
    }

    /// Removes and returns the element at a position. A removed object stays in the store.
    @discardableResult
    public func remove(at index: Int) -> Element {
        let element = self[index]
        removeSubrange(index..<index + 1)
        return element
    }

    /// Removes and returns the first element. Traps if the list is empty.
    @discardableResult
    public func removeFirst() -> Element { remove(at: 0) }

    /// Removes and returns the last element. Traps if the list is empty.
    @discardableResult
    public func removeLast() -> Element { remove(at: count - 1) }

    /// Removes the first `count` elements. Traps if the list has fewer elements.
    public func removeFirst(_ count: Int) { removeSubrange(0..<count) }

    /// Removes the last `count` elements. Traps if the list has fewer elements.
    public func removeLast(_ count: Int) { removeSubrange(self.count - count..<self.count) }

    /// Removes the elements in a range of positions.
    public func removeSubrange(_ range: some RangeExpression<Int>) {
        replaceSubrange(range, with: EmptyCollection())
    }

    /// Removes the elements for which `condition` returns true.
    public func removeAll(where condition: (Element) throws -> Bool) rethrows {
        guard let relation else { return try edit { try $0.removeAll(where: condition) } }
        try relation.removeAll(where: condition)
    }

    /// Removes all elements. Removed objects stay in the store.
    public func removeAll() {
        guard let relation else { return edit { $0.removeAll() } }
        relation.removeAll()
    }

    /// Moves the element at a position to another position.
    public func move(from source: Int, to destination: Int) {
        guard let relation else {
            return edit { $0.insert($0.remove(at: source), at: destination) }
        }
        relation.move(from: source, to: destination)
    }

    /// Exchanges the elements at two positions.
    public func swapAt(_ one: Int, _ other: Int) {
        guard let relation else { return edit { $0.swapAt(one, other) } }
        relation.swapAt(one, other)
    }

    private func edit(_ body: (inout [Element]) throws -> Void) rethrows {
        isSet = true
        try body(&elements)
    }
}

extension List where Element: PropertyValue & Equatable {
    /// Returns the position of the first equal element, or nil if there is none.
    public func index(of element: Element) -> Int? { elements.firstIndex(of: element) }
}
