// The relation as a collection. Changes apply to the relation object, so no method needs a `var`.
// Reading an element at a position outside the collection traps, as in an array; changing
// one changes the end of the collection.
//
// A slice refers to the relation and is not a copy: a change to the slice changes the relation.

extension ToMany: RandomAccessCollection {
    /// The position of the first object: 0.
    public var startIndex: Int { 0 }
    /// The position after the last object.
    public var endIndex: Int { count }
    /// The number of objects. See ``countInDb()`` for a count that reads no objects.
    public var count: Int { shown { $0.count } }

    /// The object at a position.
    public subscript(position: Int) -> Target { shown { $0.object(at: position) } }

    /// Iterates over the objects that the relation has now. Later changes do not affect the
    /// iteration.
    public func makeIterator() -> IndexingIterator<[Target]> { objects.makeIterator() }

    /// The results of `transform` for the objects that the relation has now.
    public func map<Result, Failure: Error>(
        _ transform: (Target) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        try objects.map(transform)
    }

    /// The objects at one moment. `Array(relation)` uses this method.
    public func _copyToContiguousArray() -> ContiguousArray<Target> { ContiguousArray(objects) }

    private var objects: [Target] { shown { $0.objects } }

    /// The ids of the objects, in their order; 0 for one that is not stored yet.
    public var ids: [EntityId<Target>] {
        shown { $0.members.map { EntityId($0.storedId) } }
    }
}

extension ToMany: RangeReplaceableCollection {
    /// Adds an object at the end, unless the relation has it. Reads nothing.
    public func append(_ newElement: Target) { append(contentsOf: CollectionOfOne(newElement)) }

    /// Adds objects at the end, except those that the relation has. Reads nothing.
    public func append(contentsOf newElements: some Sequence<Target>) {
        // The sequence may be this relation, so it is read before the lock is taken.
        let new = Array(newElements)
        lock { list.append(new) }
    }

    /// Replaces a range of objects by others, except those that the relation has already.
    public func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Target>
    ) {
        let new = Array(newElements)
        _ = edited { $0.replaceSubrange(subrange, with: new) }
    }

    /// Replaces a range of objects by others, except those that the relation has already.
    public func replaceSubrange(
        _ subrange: some RangeExpression<Int>, with newElements: some Collection<Target>
    ) {
        replaceSubrange(subrange.relative(to: 0..<Int.max), with: newElements)
    }

    /// Inserts an object before the one at a position, unless the relation has it.
    public func insert(_ newElement: Target, at i: Int) {
        replaceSubrange(i..<i, with: CollectionOfOne(newElement))
    }

    /// Inserts objects before the one at a position, except those that the relation has.
    public func insert(contentsOf newElements: some Collection<Target>, at i: Int) {
        replaceSubrange(i..<i, with: newElements)
    }

    /// Removes and returns the object at a position, which must exist.
    @discardableResult
    public func remove(at position: Int) -> Target {
        edited { list in
            let object = list.object(at: position)
            list.replaceSubrange(position..<position + 1, with: [])
            return object
        }
    }

    /// Removes an object, which is found by its id or, if it is not stored, by its identity.
    /// Returns whether the relation had it.
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

    /// Removes and returns the first object, which must exist.
    @discardableResult
    public func removeFirst() -> Target { remove(at: 0) }

    /// Removes up to `k` objects from the front.
    public func removeFirst(_ k: Int) { removeSubrange(0..<Swift.max(0, k)) }

    /// Removes and returns the last object, which must exist.
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

    /// Removes up to `k` objects from the end.
    public func removeLast(_ k: Int) {
        _ = edited { list in
            let count = list.count
            return list.replaceSubrange(Swift.max(0, count - Swift.max(0, k))..<count, with: [])
        }
    }

    /// Removes all objects from the relation, like ``replace(_:)`` with none. The objects stay in
    /// the store.
    public func removeAll(keepingCapacity keepCapacity: Bool = false) { replace([]) }

    /// Removes the objects for which `shouldBeRemoved` returns true.
    public func removeAll(where shouldBeRemoved: (Target) throws -> Bool) rethrows {
        // The condition is the user's code, which must not run under the lock.
        let members = edited { $0.members }
        let gone = Set(try members.filter { try shouldBeRemoved($0.object) }.map(\.token))
        shown { $0.removeAll { gone.contains($0.token) } }
        withExtendedLifetime(members) {}
    }

    /// Makes the relation one to exactly these objects. Reads nothing: the next write removes all
    /// other links that the store has then, including those that other programs added.
    public func replace(_ objects: some Sequence<Target>) {
        let new = Array(objects)
        let gone = lock {
            // The content no longer depends on what could not be read before.
            lostChange = nil
            let gone = list.replaceSubrange(0..<list.count, with: new)
            list.isWhole = true
            return gone
        }
        withExtendedLifetime(gone) {}
    }
}

extension ToMany: CustomStringConvertible {
    /// The ids of the objects in memory. Reads nothing, and does not describe the objects, which
    /// may lead back to each other.
    public var description: String {
        let (isRead, ids) = lock {
            (isResolved || list.hasBase, list.members.map(\.storedId))
        }
        return describe("ToMany<\(Target.self)>", ids, isRead: isRead)
    }
}

/// The description of a relation.
func describe(_ type: String, _ ids: [Id], isRead: Bool) -> String {
    if isRead { return "\(type)(ids: \(ids))" }
    return ids.isEmpty ? "\(type)(not read)" : "\(type)(not read, added: \(ids))"
}

// The operators of the standard library would change the relation on the left.
extension ToMany {
    /// An array of the objects of a relation, followed by others. Changes no relation.
    public static func + (one: ToMany, other: some Sequence<Target>) -> [Target] {
        Array(one) + Array(other)
    }

    /// An array of the objects of a relation, followed by others. Changes no relation.
    public static func + (
        one: ToMany, other: some RangeReplaceableCollection<Target>
    ) -> [Target] {
        Array(one) + Array(other)
    }

    /// A new relation to the objects of a relation and to others. Changes neither.
    @_disfavoredOverload
    public static func + (one: ToMany, other: some Sequence<Target>) -> ToMany {
        ToMany(Array(one) + Array(other))
    }

    /// A new relation to the objects of a relation and to others. Changes neither.
    @_disfavoredOverload
    public static func + (
        one: ToMany, other: some RangeReplaceableCollection<Target>
    ) -> ToMany {
        ToMany(Array(one) + Array(other))
    }
}
