// The relation as a collection. Changes apply to the relation object, so no method is `mutating`.
// Reading an element at a position outside the collection traps, as in an array. Changing a range
// clamps the range to the bounds of the collection.
//
// A slice refers to the relation and is not a copy: a change to a slice changes the relation.

extension ToMany: RandomAccessCollection {
    /// The position of the first object: 0.
    public var startIndex: Int { 0 }
    /// The position after the last object.
    public var endIndex: Int { count }
    /// The number of objects. The first use reads all objects; ``countInDb()`` reads none.
    public var count: Int { shown { $0.count } }

    /// Returns the object at a position. Traps if the position is out of bounds.
    public subscript(position: Int) -> Target { shown { $0.object(at: position) } }

    /// Returns an iterator over the current objects. Later changes do not affect the iteration.
    public func makeIterator() -> IndexingIterator<[Target]> { objects.makeIterator() }

    /// Returns the results of `transform` for the current objects. `transform` may change the
    /// relation.
    public func map<Result, Failure: Error>(
        _ transform: (Target) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        try objects.map(transform)
    }

    /// Returns a consistent copy of the objects. `Array(relation)` calls this method.
    public func _copyToContiguousArray() -> ContiguousArray<Target> { ContiguousArray(objects) }

    private var objects: [Target] { shown { $0.objects } }

    /// The ids of the objects, in the order of the collection. The id of an object that is not
    /// stored yet is 0.
    public var ids: [EntityId<Target>] {
        shown { $0.members.map { EntityId($0.storedId) } }
    }
}

extension ToMany: RangeReplaceableCollection {
    /// Adds an object at the end, unless the relation already contains it. Reads nothing.
    public func append(_ newElement: Target) { append(contentsOf: CollectionOfOne(newElement)) }

    /// Adds objects at the end, except objects that the relation already contains. Reads nothing.
    public func append(contentsOf newElements: some Sequence<Target>) {
        // The sequence may be this relation, so read it before taking the lock.
        let new = Array(newElements)
        lock { list.append(new) }
    }

    /// Replaces a range of objects. Skips new objects that the rest of the relation contains.
    public func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Target>
    ) {
        let new = Array(newElements)
        _ = edited { $0.replaceSubrange(subrange, with: new) }
    }

    /// Replaces a range of objects. Skips new objects that the rest of the relation contains.
    public func replaceSubrange(
        _ subrange: some RangeExpression<Int>, with newElements: some Collection<Target>
    ) {
        replaceSubrange(subrange.relative(to: 0..<Int.max), with: newElements)
    }

    /// Inserts an object at a position, unless the relation already contains it.
    public func insert(_ newElement: Target, at i: Int) {
        replaceSubrange(i..<i, with: CollectionOfOne(newElement))
    }

    /// Inserts objects at a position, except objects that the relation already contains.
    public func insert(contentsOf newElements: some Collection<Target>, at i: Int) {
        replaceSubrange(i..<i, with: newElements)
    }

    /// Removes and returns the object at a position. Traps if the position is out of bounds.
    @discardableResult
    public func remove(at position: Int) -> Target {
        edited { list in
            let object = list.object(at: position)
            list.replaceSubrange(position..<position + 1, with: [])
            return object
        }
    }

    /// Removes an object. Compares ids, and the identity of class instances.
    ///
    /// - Returns: Whether the relation contained the object.
    @discardableResult
    public func remove(_ object: Target) -> Bool {
        let gone = edited { list in
            list.index(of: object).map { list.replaceSubrange($0..<$0 + 1, with: []) }
        }
        return gone != nil
    }

    /// Removes a range of objects.
    public func removeSubrange(_ bounds: Range<Int>) {
        replaceSubrange(bounds, with: EmptyCollection())
    }

    /// Removes a range of objects.
    public func removeSubrange(_ bounds: some RangeExpression<Int>) {
        removeSubrange(bounds.relative(to: 0..<Int.max))
    }

    /// Removes and returns the first object. Traps if the relation is empty.
    @discardableResult
    public func removeFirst() -> Target { remove(at: 0) }

    /// Removes the first `k` objects, or all objects if the relation has fewer.
    public func removeFirst(_ k: Int) { removeSubrange(0..<Swift.max(0, k)) }

    /// Removes and returns the last object. Traps if the relation is empty.
    @discardableResult
    public func removeLast() -> Target {
        edited { list in
            let last = list.count - 1
            let object = list.object(at: last)
            list.replaceSubrange(last..<last + 1, with: [])
            return object
        }
    }

    /// Removes and returns the last object; nil if the relation is empty.
    @discardableResult
    public func popLast() -> Target? {
        edited { list in
            guard !list.isEmpty else { return nil }
            let last = list.object(at: list.count - 1)
            list.replaceSubrange(list.count - 1..<list.count, with: [])
            return last
        }
    }

    /// Removes the last `k` objects, or all objects if the relation has fewer.
    public func removeLast(_ k: Int) {
        _ = edited { list in
            let count = list.count
            return list.replaceSubrange(Swift.max(0, count - Swift.max(0, k))..<count, with: [])
        }
    }

    /// Removes all objects from the relation, like ``replace(_:)`` with an empty sequence. The
    /// objects stay in the store.
    public func removeAll(keepingCapacity keepCapacity: Bool = false) { replace([]) }

    /// Removes the objects for which `shouldBeRemoved` returns true.
    public func removeAll(where shouldBeRemoved: (Target) throws -> Bool) rethrows {
        // The condition is user code, which must not run under the lock.
        let members = edited { $0.members }
        let gone = Set(try members.filter { try shouldBeRemoved($0.object) }.map(\.token))
        shown { $0.removeAll { gone.contains($0.token) } }
        withExtendedLifetime(members) {}
    }

    /// Replaces the content of the relation with the given objects. Reads nothing.
    ///
    /// The next write removes all other links, including links that other programs added.
    public func replace(_ objects: some Sequence<Target>) {
        let new = Array(objects)
        let gone = lock {
            // The content no longer depends on a read that failed.
            lostChange = nil
            let gone = list.replaceSubrange(0..<list.count, with: new)
            list.isWhole = true
            return gone
        }
        withExtendedLifetime(gone) {}
    }
}

extension ToMany: CustomStringConvertible {
    /// A string with the ids of the objects in memory. Reads nothing, and does not describe the
    /// objects, because their relations may form a cycle.
    public var description: String {
        let (isRead, ids) = lock {
            (isResolved || list.hasBase, list.members.map(\.storedId))
        }
        return describe("ToMany<\(Target.self)>", ids, isRead: isRead)
    }
}

/// Returns the description of a relation.
func describe(_ type: String, _ ids: [Id], isRead: Bool) -> String {
    if isRead { return "\(type)(ids: \(ids))" }
    return ids.isEmpty ? "\(type)(not read)" : "\(type)(not read, added: \(ids))"
}

// The operators of the standard library change the relation on the left.
extension ToMany {
    /// Returns an array of the objects of a relation, followed by other objects. Changes no
    /// relation.
    public static func + (one: ToMany, other: some Sequence<Target>) -> [Target] {
        Array(one) + Array(other)
    }

    /// Returns an array of the objects of a relation, followed by other objects. Changes no
    /// relation.
    public static func + (
        one: ToMany, other: some RangeReplaceableCollection<Target>
    ) -> [Target] {
        Array(one) + Array(other)
    }

    /// Returns a new relation to the objects of a relation and to other objects. Changes neither
    /// operand.
    @_disfavoredOverload
    public static func + (one: ToMany, other: some Sequence<Target>) -> ToMany {
        ToMany(Array(one) + Array(other))
    }

    /// Returns a new relation to the objects of a relation and to other objects. Changes neither
    /// operand.
    @_disfavoredOverload
    public static func + (
        one: ToMany, other: some RangeReplaceableCollection<Target>
    ) -> ToMany {
        ToMany(Array(one) + Array(other))
    }
}
