/// What a ``ToMany`` holds in memory: the objects that it shows, and which of them the store has.
struct MemberList<Target: Entity> {
    struct Member {
        var object: Target
        /// The id that the store has it under, which the object itself need not keep.
        var id: Id
        /// Tells new structs apart, which are known by nothing else.
        let token: Int

        /// The id that it is stored under by now; 0 where it is not.
        var storedId: Id { id != 0 ? id : object.entityId }
    }

    private enum Key: Hashable {
        case id(Id)
        case object(ObjectIdentifier)
        case token(Int)

        init(_ member: Member) {
            let id = member.storedId
            if id != 0 {
                self = .id(id)
            } else if Target.self is AnyClass {
                self = .object(ObjectIdentifier(member.object as AnyObject))
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
            tokenCount += 1
            let member = Member(object: member.object, id: member.id, token: tokenCount)
            if keys.insert(Key(member)).inserted { changed?.append(member) }
        }
    }

    /// Adds objects that are not there yet.
    mutating func append(_ objects: [Target]) {
        append(objects.lazy.map { Member(object: $0, id: 0, token: 0) })
    }

    /// Puts objects in the place of others; leaves out those that are there already. A range that
    /// reaches beyond the end is cut there.
    mutating func replaceSubrange(_ range: Range<Int>, with objects: [Target]) {
        beginChange()
        let start = min(max(0, range.lowerBound), members.count)
        let end = min(max(start, range.upperBound), members.count)
        let (head, gone, tail) = (members[..<start], members[start..<end], members[end...])
        let kept = Array(tail)
        var known: [Key: Member] = [:]
        for member in gone { known[Key(member)] = member }
        members = Array(head)
        keys = Set((members + kept).map(Key.init))
        for object in objects {
            let member = Member(object: object, id: 0, token: 0)
            // What is taken out and put in again is the same.
            append([known[Key(member)].map { keep(member, $0) } ?? member])
        }
        members += kept
    }

    private func keep(_ member: Member, _ known: Member) -> Member {
        Member(object: member.object, id: known.id, token: member.token)
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
            if !(Target.self is AnyClass) { members[index].object.entityId = id }
        }
        changed = members
        keys = Set(members.map(Key.init))
    }
}
