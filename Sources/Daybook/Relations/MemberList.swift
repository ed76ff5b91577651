/// What a ``ToMany`` holds in memory: the objects that it shows, and which of them the store has.
struct MemberList<Target: Entity> {
    struct Member {
        var object: Target
        /// The id that the store has it under, which the object itself need not keep.
        var id: Id
        /// Tells new structs apart, which are known by nothing else.
        let token: Int
        /// Whether it was put in a transaction that was then rolled back: it keeps its id, and is
        /// not stored.
        var isTakenBack = false

        /// The id that it is stored under by now; 0 where it is not.
        var storedId: Id { id != 0 ? id : object.entityId }

        /// What an object of a class is known by.
        var identity: ObjectIdentifier? {
            Target.self is AnyClass ? ObjectIdentifier(object as AnyObject) : nil
        }
    }

    private enum Key: Hashable {
        case id(Id)
        case object(ObjectIdentifier)
        case token(Int)

        init(_ member: Member) {
            let id = member.storedId
            if id != 0 {
                self = .id(id)
            } else if let identity = member.identity {
                self = .object(identity)
            } else {
                self = .token(member.token)
            }
        }
    }

    /// What was read from the store. Most lists are read and never changed, so the rest is made
    /// when something changes.
    private var readIds: [Id] = []
    private var readObjects: [Target] = []
    private var changed: [Member]?
    private var changedBase: Set<Id>?
    /// Whether the store was read, or written: only then it is known what it has.
    private(set) var hasBase = false
    /// Whether the members take the place of whatever the store has.
    var isWhole = false
    private var tokenCount = 0
    private var keys: Set<Key> = []

    /// Makes a list of what the store has.
    init(_ ids: [Id], stored objects: [Target]) {
        readIds = ids
        readObjects = objects
        hasBase = true
    }

    /// Makes a list of what is added to it.
    init(_ objects: [Target] = [], isWhole: Bool = false) {
        self.isWhole = isWhole
        if !objects.isEmpty { append(objects) }
    }

    /// The ids that the store had when it was read or written; nil where it was not: then the
    /// members are what was added.
    var base: Set<Id>? {
        get { hasBase ? changedBase ?? Set(readIds) : nil }
        set {
            changedBase = newValue
            hasBase = newValue != nil
        }
    }

    var isEmpty: Bool { count == 0 }
    var count: Int { changed?.count ?? readObjects.count }

    /// The objects of the members.
    var objects: [Target] { changed?.map(\.object) ?? readObjects }

    func object(at index: Int) -> Target { changed?[index].object ?? readObjects[index] }

    private(set) var members: [Member] {
        get { changed ?? readMembers }
        set { changed = newValue }
    }

    private var readMembers: [Member] {
        readIds.indices.map { index in
            Member(object: readObjects[index], id: readIds[index], token: index + 1)
        }
    }

    /// Makes what a change needs.
    private mutating func beginChange() {
        guard changed == nil else { return }
        let members = readMembers
        keys = Set(members.map(Key.init))
        tokenCount = members.count
        changed = members
        if changedBase == nil, hasBase { changedBase = Set(readIds) }
        (readIds, readObjects) = ([], [])
    }

    /// Adds members that are not there yet.
    mutating func append(_ new: some Sequence<Member>) {
        beginChange()
        for member in new {
            var numbered = numbered(member.object, member.id)
            numbered.isTakenBack = member.isTakenBack
            if remember(numbered) { changed?.append(numbered) }
        }
    }

    private mutating func numbered(_ object: Target, _ id: Id) -> Member {
        tokenCount += 1
        return Member(object: object, id: id, token: tokenCount)
    }

    /// Notes a member; false if it is there already. An object of a class may have got its id since
    /// it was noted, so it is known by either.
    private mutating func remember(_ member: Member) -> Bool {
        if let identity = member.identity, keys.contains(.object(identity)) { return false }
        return keys.insert(Key(member)).inserted
    }

    private mutating func forget(_ member: Member) {
        keys.remove(Key(member))
        if let identity = member.identity { keys.remove(.object(identity)) }
    }

    /// Adds objects that are not there yet.
    mutating func append(_ objects: [Target]) {
        append(objects.lazy.map { Member(object: $0, id: 0, token: 0) })
    }

    /// Puts objects in the place of others, and returns those; leaves out those that are there
    /// already. A range that reaches beyond the end is cut there.
    @discardableResult
    mutating func replaceSubrange(_ range: Range<Int>, with objects: [Target]) -> [Member] {
        beginChange()
        guard var members = changed.take() else { return [] }
        let start = min(max(0, range.lowerBound), members.count)
        let end = min(max(start, range.upperBound), members.count)
        let gone = Array(members[start..<end])
        var known: [Key: Id] = [:]
        for member in gone {
            forget(member)
            if !objects.isEmpty { known[Key(member)] = member.id }
        }
        var new: [Member] = []
        for object in objects {
            var member = numbered(object, 0)
            // What is taken out and put in again is the same.
            if let id = known[Key(member)] { member.id = id }
            if remember(member) { new.append(member) }
        }
        members.replaceSubrange(start..<end, with: new)
        changed = members
        return gone
    }

    /// The index of an object; nil where it is not there.
    func index(of object: Target) -> Int? {
        let key = Key(Member(object: object, id: 0, token: 0))
        if changed != nil, !keys.contains(key) { return nil }
        return members.firstIndex { Key($0) == key }
    }

    mutating func removeAll(where condition: (Member) throws -> Bool) rethrows {
        beginChange()
        try members.removeAll(where: condition)
        keys = Set(members.map(Key.init))
    }

    /// The members that the store does not have.
    var added: [Member] {
        if !isWhole, hasBase, changed == nil, changedBase == nil { return [] }
        guard let base, !isWhole else { return members }
        return members.filter { $0.storedId == 0 || !base.contains($0.storedId) }
    }

    /// The ids that the store has and the list does not.
    var removed: [Id] {
        if changed == nil, changedBase == nil { return [] }
        guard let base, !isWhole else { return [] }
        return base.subtracting(members.map(\.storedId)).sorted()
    }

    var hasChanges: Bool { isWhole || !added.isEmpty || !removed.isEmpty }

    /// Gives members that were new the ids that they have got, by their tokens; 0 takes it back.
    mutating func setIds(_ ids: [Int: Id]) {
        if ids.isEmpty { return }
        beginChange()
        guard var members = changed.take() else { return }
        for index in members.indices {
            guard let id = ids[members[index].token] else { continue }
            members[index].id = id
            members[index].isTakenBack = false
            if !(Target.self is AnyClass) { members[index].object.entityId = id }
        }
        changed = members
        keys = Set(members.map(Key.init))
    }

    /// Makes what a put had settled changes again.
    ///
    /// - Parameters:
    ///   - before: the list as it was then.
    ///   - noted: the members that it had then.
    ///   - new: those of them that were put.
    ///   - isContinued: whether this list went on with those members, and did not let them go to be
    ///     read from the store.
    mutating func takeBack(
        to before: MemberList, _ noted: Set<Int>, _ new: Set<Int>, isContinued: Bool
    ) {
        let kept = isContinued ? Set(members.map(\.token)) : noted
        // What was added since stays added, unless it was read along meanwhile.
        let isRead = !isContinued && hasBase
        let later = isRead ? [] : members.filter { !noted.contains($0.token) }
        self = before
        beginChange()
        guard var members = changed.take() else { return }
        members.removeAll { !kept.contains($0.token) }
        for index in members.indices where new.contains(members[index].token) {
            members[index].isTakenBack = true
        }
        changed = members
        keys = Set(members.map(Key.init))
        append(later)
    }
}
