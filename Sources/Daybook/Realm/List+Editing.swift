// A list is changed where it stands: none of these needs a `var`. Positions outside the list trap,
// as with an array; where a list of objects cannot be read, nothing is changed, and the next put
// throws why. A slice is one of the list itself, no copy: what changes it changes the list.

extension List {
    /// Adds an element at the end. Reads nothing.
    public func append(_ element: Element) { append(objectsIn: CollectionOfOne(element)) }

    /// Adds elements at the end, in their order. Reads nothing.
    public func append(objectsIn newElements: some Sequence<Element>) {
        guard let relation else { return edit { $0.append(contentsOf: newElements) } }
        relation.append(Array(newElements))
    }

    /// Puts an element in front of the one at a position; at the end where that is the count.
    public func insert(_ element: Element, at index: Int) {
        replaceSubrange(index..<index, with: CollectionOfOne(element))
    }

    /// Puts elements in front of the one at a position, in their order.
    public func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
        replaceSubrange(index..<index, with: newElements)
    }

    /// Puts an element in the place of the one at a position.
    public func replace(index: Int, object element: Element) {
        replaceSubrange(index..<index + 1, with: CollectionOfOne(element))
    }

    /// Puts elements in the place of those at positions.
    public func replaceSubrange(
        _ range: some RangeExpression<Int>, with newElements: some Collection<Element>
    ) {
        guard let relation else {
            return edit { $0.replaceSubrange(range.relative(to: $0), with: newElements) }
        }
        relation.replaceSubrange(range, with: Array(newElements))
    }

    /// Takes out the element at a position, and returns it. Of a list of objects, it stays in the
    /// store.
    @discardableResult
    public func remove(at index: Int) -> Element {
        let element = self[index]
        removeSubrange(index..<index + 1)
        return element
    }

    /// Takes out the first element, and returns it. The list must have one.
    @discardableResult
    public func removeFirst() -> Element { remove(at: 0) }

    /// Takes out the last element, and returns it. The list must have one.
    @discardableResult
    public func removeLast() -> Element { remove(at: count - 1) }

    /// Takes out as many elements at the front. The list must have them.
    public func removeFirst(_ count: Int) { removeSubrange(0..<count) }

    /// Takes out as many elements at the end. The list must have them.
    public func removeLast(_ count: Int) { removeSubrange(self.count - count..<self.count) }

    /// Takes out the elements at positions.
    public func removeSubrange(_ range: some RangeExpression<Int>) {
        replaceSubrange(range, with: EmptyCollection())
    }

    /// Takes out the elements that `condition` holds for.
    public func removeAll(where condition: (Element) throws -> Bool) rethrows {
        guard let relation else { return try edit { try $0.removeAll(where: condition) } }
        try relation.removeAll(where: condition)
    }

    /// Takes out all elements. Objects stay in the store.
    public func removeAll() {
        guard let relation else { return edit { $0.removeAll() } }
        relation.removeAll()
    }

    /// Takes the element at a position out, and puts it in so that it stands at another.
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
    /// The position of the first element that is equal; nil where there is none.
    public func index(of element: Element) -> Int? { elements.firstIndex(of: element) }
}
