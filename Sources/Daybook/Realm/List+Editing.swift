// A list is changed where it stands: none of these needs a `var`. Positions outside the list trap,
// as with an array.

extension List where Element: PropertyValue {
    /// Adds an element at the end.
    public func append(_ element: Element) { elements.append(element) }

    /// Adds elements at the end, in their order.
    public func append(objectsIn newElements: some Sequence<Element>) {
        elements.append(contentsOf: newElements)
    }

    /// Puts an element in front of the one at a position; at the end where that is the count.
    public func insert(_ element: Element, at index: Int) { elements.insert(element, at: index) }

    /// Puts elements in front of the one at a position, in their order.
    public func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
        elements.insert(contentsOf: newElements, at: index)
    }

    /// Puts an element in the place of the one at a position.
    public func replace(index: Int, object element: Element) { elements[index] = element }

    /// Puts elements in the place of those at positions.
    public func replaceSubrange(
        _ range: some RangeExpression<Int>, with newElements: some Collection<Element>
    ) {
        elements.replaceSubrange(range, with: newElements)
    }

    /// Takes out the element at a position, and returns it.
    @discardableResult
    public func remove(at index: Int) -> Element { elements.remove(at: index) }

    /// Takes out the first element, and returns it. The list must have one.
    @discardableResult
    public func removeFirst() -> Element { elements.removeFirst() }

    /// Takes out the last element, and returns it. The list must have one.
    @discardableResult
    public func removeLast() -> Element { elements.removeLast() }

    /// Takes out as many elements at the front. The list must have them.
    public func removeFirst(_ count: Int) { elements.removeFirst(count) }

    /// Takes out as many elements at the end. The list must have them.
    public func removeLast(_ count: Int) { elements.removeLast(count) }

    /// Takes out the elements at positions.
    public func removeSubrange(_ range: some RangeExpression<Int>) {
        elements.removeSubrange(range)
    }

    /// Takes out the elements that `condition` holds for.
    public func removeAll(where condition: (Element) throws -> Bool) rethrows {
        try elements.removeAll(where: condition)
    }

    /// Takes out all elements.
    public func removeAll() { elements.removeAll() }

    /// Takes the element at a position out, and puts it in so that it stands at another.
    public func move(from source: Int, to destination: Int) {
        elements.insert(elements.remove(at: source), at: destination)
    }

    /// Exchanges the elements at two positions.
    public func swapAt(_ one: Int, _ other: Int) { elements.swapAt(one, other) }
}

extension List where Element: PropertyValue & Equatable {
    /// The position of the first element that is equal; nil where there is none.
    public func index(of element: Element) -> Int? { elements.firstIndex(of: element) }
}
