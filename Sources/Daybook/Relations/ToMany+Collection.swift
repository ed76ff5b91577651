// As a collection. A relation is changed where it stands: none of these needs a `var`. A position
// outside of it is a programming error that traps where an element is read, as with an array;
// where elements are changed, it is taken for the end.
//
// A slice is one of the relation itself, no copy: what changes it changes the relation.

extension ToMany: RandomAccessCollection {
    /// The position of the first object: 0.
    public var startIndex: Int { 0 }
    /// The position behind the last object.
    public var endIndex: Int { count }
    /// How many objects there are. See ``countInDb()`` for a count that reads no objects.
    public var count: Int { shown { $0.count } }

    /// The object at a position.
    public subscript(position: Int) -> Target { shown { $0.object(at: position) } }

    /// Goes through the objects that there are now, whatever is done to the relation meanwhile.
    public func makeIterator() -> IndexingIterator<[Target]> { objects.makeIterator() }

    /// What `transform` makes of each object that there is now.
    public func map<Result, Failure: Error>(
        _ transform: (Target) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        try objects.map(transform)
    }

    /// What `Array(relation)` is made of: the objects that there are at one moment.
    public func _copyToContiguousArray() -> ContiguousArray<Target> { ContiguousArray(objects) }

    private var objects: [Target] { shown { $0.objects } }

    /// The ids of the objects, in their order; 0 for one that is not stored yet.
    public var ids: [EntityId<Target>] {
        shown { $0.members.map { EntityId($0.storedId) } }
    }
}

extension ToMany: RangeReplaceableCollection {
    /// Adds an object at the end, unless it is there. Reads nothing.
    public func append(_ newElement: Target) { append(contentsOf: CollectionOfOne(newElement)) }

    /// Adds objects at the end, without those that are there. Reads nothing.
    public func append(contentsOf newElements: some Sequence<Target>) {
        // The sequence is a user's own, which may be this very relation.
        let new = Array(newElements)
        lock { list.append(new) }
    }

    /// Puts objects in the place of others, without those that are there.
    public func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Target>
    ) {
        let new = Array(newElements)
        _ = edited { $0.replaceSubrange(subrange, with: new) }
    }

    /// Puts objects in the place of others, without those that are there.
    public func replaceSubrange(
        _ subrange: some RangeExpression<Int>, with newElements: some Collection<Target>
    ) {
        replaceSubrange(subrange.relative(to: 0..<Int.max), with: newElements)
    }

    /// Puts an object in front of the one at a position, unless it is there.
    public func insert(_ newElement: Target, at i: Int) {
        replaceSubrange(i..<i, with: CollectionOfOne(newElement))
    }

    /// Puts objects in front of the one at a position, without those that are there.
    public func insert(contentsOf newElements: some Collection<Target>, at i: Int) {
        replaceSubrange(i..<i, with: newElements)
    }

    /// Takes out the object at a position, and returns it. There must be one.
    @discardableResult
    public func remove(at position: Int) -> Target {
        edited { list in
            let object = list.object(at: position)
            list.replaceSubrange(position..<position + 1, with: [])
            return object
        }
    }

    /// Takes out an object, known by its id or, where it is not stored, its identity. Returns
    /// whether it was there.
    @discardableResult
    public func remove(_ object: Target) -> Bool {
        let gone = edited { list in
            list.index(of: object).map { list.replaceSubrange($0..<$0 + 1, with: []) }
        }
        return gone != nil
    }

    /// Takes out the objects at positions.
    public func removeSubrange(_ bounds: Range<Int>) {
        replaceSubrange(bounds, with: EmptyCollection())
    }

    /// Takes out the objects at positions.
    public func removeSubrange(_ bounds: some RangeExpression<Int>) {
        removeSubrange(bounds.relative(to: 0..<Int.max))
    }

    /// Takes out the first object, and returns it. There must be one.
    @discardableResult
    public func removeFirst() -> Target { remove(at: 0) }

    /// Takes out as many objects at the front.
    public func removeFirst(_ k: Int) { removeSubrange(0..<Swift.max(0, k)) }

    /// Takes out the last object, and returns it. There must be one.
    @discardableResult
    public func removeLast() -> Target {
        edited { list in
            let last = list.count - 1
            let object = list.object(at: last)
            list.replaceSubrange(last..<last + 1, with: [])
            return object
        }
    }

    /// Takes out the last object, and returns it; nil where there is none.
    @discardableResult
    public func popLast() -> Target? {
        edited { list in
            guard !list.isEmpty else { return nil }
            let last = list.object(at: list.count - 1)
            list.replaceSubrange(list.count - 1..<list.count, with: [])
            return last
        }
    }

    /// Takes out as many objects at the end.
    public func removeLast(_ k: Int) {
        _ = edited { list in
            let count = list.count
            return list.replaceSubrange(Swift.max(0, count - Swift.max(0, k))..<count, with: [])
        }
    }

    /// Takes out all objects. They stay in the store.
    public func removeAll(keepingCapacity keepCapacity: Bool = false) { replace([]) }

    /// Takes out the objects that `shouldBeRemoved` holds for.
    public func removeAll(where shouldBeRemoved: (Target) throws -> Bool) rethrows {
        // The condition is a user's own code, so the lock is not held meanwhile.
        let members = edited { $0.members }
        let gone = Set(try members.filter { try shouldBeRemoved($0.object) }.map(\.token))
        shown { $0.removeAll { gone.contains($0.token) } }
        withExtendedLifetime(members) {}
    }

    /// Makes the relation one to exactly these objects. Reads which ones the store has, and none of
    /// them; if that fails, the next attempt to write throws it.
    public func replace(_ objects: some Sequence<Target>) {
        let new = Array(objects)
        var ids: [Id]?
        var failure: DaybookError?
        do {
            ids = try unread()?.0.ids(of: Target.self)
        } catch {
            failure = DaybookError(reading: error)
        }
        let gone = lock {
            // Whatever could not be done before, this is what it is to be now.
            lostChange = failure
            if !list.hasBase, let ids { list.base = Set(ids) }
            if !list.hasBase { list.isWhole = true }
            return list.replaceSubrange(0..<list.count, with: new)
        }
        withExtendedLifetime(gone) {}
        if ids != nil { replaceWhenAbandoned() }
    }

    /// Sees to it that it is still one to exactly these objects where the transaction is rolled
    /// back in which it was read which ones the store has.
    private func replaceWhenAbandoned() {
        guard let (attachment, generation) = lock({ attachment.map { ($0, generation) } }),
            let transaction = attachment.types.engine.changingTransaction
        else { return }
        transaction.whenAbandoned { [weak self] in
            self?.lock {
                guard let self, self.generation == generation else { return }
                (self.list.base, self.list.isWhole) = (nil, true)
            }
        }
    }
}

extension ToMany: CustomStringConvertible {
    /// The ids of the objects, as far as they are in memory. Reads nothing, and describes no
    /// object, for objects lead back to each other.
    public var description: String {
        let (isRead, ids) = lock { (isResolved, list.members.map(\.storedId)) }
        return describe("ToMany<\(Target.self)>", ids, isRead: isRead)
    }
}

/// What a relation says of itself.
func describe(_ type: String, _ ids: [Id], isRead: Bool) -> String {
    if isRead { return "\(type)(ids: \(ids))" }
    return ids.isEmpty ? "\(type)(not read)" : "\(type)(not read, added: \(ids))"
}

// The standard library's would change the relation on the left, which is an object.
extension ToMany {
    /// An array of the objects of a relation and others behind them. Changes no relation.
    public static func + (one: ToMany, other: some Sequence<Target>) -> [Target] {
        Array(one) + Array(other)
    }

    /// An array of the objects of a relation and others behind them. Changes no relation.
    public static func + (
        one: ToMany, other: some RangeReplaceableCollection<Target>
    ) -> [Target] {
        Array(one) + Array(other)
    }

    /// A new relation to the objects of one and others. Changes neither.
    @_disfavoredOverload
    public static func + (one: ToMany, other: some Sequence<Target>) -> ToMany {
        ToMany(Array(one) + Array(other))
    }

    /// A new relation to the objects of one and others. Changes neither.
    @_disfavoredOverload
    public static func + (
        one: ToMany, other: some RangeReplaceableCollection<Target>
    ) -> ToMany {
        ToMany(Array(one) + Array(other))
    }
}
