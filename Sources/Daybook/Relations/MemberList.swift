/// What a ``ToMany`` holds in memory: the objects that it shows, and which of them the store has.
struct MemberList<Target: Entity> {
    struct Member {
        var object: Target
        /// The id that the store has it under, which the object itself need not keep.
        var id: Id
        /// Tells members apart, whatever becomes of their ids: no other member that the relation
        /// ever has is given the same.
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
    /// The last token that was given out.
    private var lastToken = 0
    private var keys: Set<Key> = []
    /// Whether there may be objects of a class that had no id when they were added.
    private var mayGainIds = false

    /// Makes a list of what the store has.
    init(_ ids: [Id], stored objects: [Target]) {
        readIds = ids
        readObjects = objects
        hasBase = true
        lastToken = ids.count
    }

    /// Makes an empty list that takes the place of another.
    init(after other: MemberList) { lastToken = other.lastToken }

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
            Member(
                object: readObjects[index], id: readIds[index],
                token: lastToken - readIds.count + index + 1)
        }
    }

    /// Makes what a change needs.
    private mutating func beginChange() {
        guard changed == nil else { return }
        let members = readMembers
        noteKeys(of: members)
        changed = members
        if changedBase == nil, hasBase { changedBase = Set(readIds) }
        (readIds, readObjects) = ([], [])
    }

    /// Takes the place of what was there until the store was read: what was added stays, behind
    /// what was read.
    mutating func take(over other: MemberList) {
        lastToken += other.lastToken
        if !other.isEmpty { append(other.members) }
    }

    /// Adds members that are not there yet, with the tokens that they have.
    private mutating func append(_ new: some Sequence<Member>) {
        beginChange()
        noteGainedIds()
        for member in new where remember(member) { changed?.append(member) }
    }

    private mutating func numbered(_ object: Target, _ id: Id) -> Member {
        lastToken += 1
        return Member(object: object, id: id, token: lastToken)
    }

    private mutating func noteKeys(of members: [Member]) {
        keys = []
        keys.reserveCapacity(members.count)
        mayGainIds = false
        for member in members { noteKeys(of: member) }
    }

    private mutating func noteKeys(of member: Member) {
        keys.insert(Key(member))
        // The id of an object comes and goes with what is done elsewhere; the object stays.
        guard member.id == 0, let identity = member.identity else { return }
        keys.insert(.object(identity))
        mayGainIds = mayGainIds || member.storedId == 0
    }

    /// Notes the ids that objects have got since they were added.
    private mutating func noteGainedIds() {
        guard mayGainIds, let changed else { return }
        mayGainIds = false
        for member in changed where member.id == 0 {
            if member.storedId == 0 { mayGainIds = true } else { keys.insert(Key(member)) }
        }
    }

    /// Notes a member; false if it is there already: as this very object, or with this id.
    private mutating func remember(_ member: Member) -> Bool {
        if let identity = member.identity, keys.contains(.object(identity)) { return false }
        if keys.contains(Key(member)) { return false }
        noteKeys(of: member)
        return true
    }

    private mutating func forget(_ member: Member) {
        keys.remove(Key(member))
        if let identity = member.identity { keys.remove(.object(identity)) }
    }

    /// Adds objects that are not there yet.
    mutating func append(_ objects: [Target]) {
        beginChange()
        // Objects without an id are known by nothing that another may have got.
        if mayGainIds, objects.contains(where: { $0.entityId != 0 }) { noteGainedIds() }
        for object in objects {
            let member = numbered(object, 0)
            if remember(member) { changed?.append(member) }
        }
    }

    /// Puts objects in the place of others, and returns those; leaves out those that are there
    /// already. A range that reaches beyond the end is cut there.
    @discardableResult
    mutating func replaceSubrange(_ range: Range<Int>, with objects: [Target]) -> [Member] {
        beginChange()
        noteGainedIds()
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

    /// The index of an object; nil where it is not there. An object of a class may have got its id
    /// since it was added, or lost it, so it is looked for under either.
    mutating func index(of object: Target) -> Int? {
        noteGainedIds()
        let sought = Member(object: object, id: 0, token: 0)
        let (key, identity) = (Key(sought), sought.identity)
        if changed != nil, !keys.contains(key) {
            guard let identity, keys.contains(.object(identity)) else { return nil }
        }
        return members.firstIndex {
            Key($0) == key || (identity != nil && $0.identity == identity)
        }
    }

    mutating func removeAll(where condition: (Member) throws -> Bool) rethrows {
        beginChange()
        try members.removeAll(where: condition)
        noteKeys(of: members)
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

    /// Gives members that were new the ids that they have got, by their tokens. One that was read
    /// meanwhile, too, stands once.
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
        let given = Set(ids.values)
        members.removeAll { ids[$0.token] == nil && given.contains($0.storedId) }
        changed = members
        noteKeys(of: members)
    }

    /// Forgets what was read; what was added stays.
    mutating func forgetRead() {
        let added = added
        self = MemberList(after: self)
        if !added.isEmpty { append(added) }
    }

    /// Makes it the change of a list that has these ids, and not those that were read.
    mutating func rebase(on ids: Set<Id>) {
        beginChange()
        let gone = (base ?? []).subtracting(ids)
        removeAll { $0.id != 0 && gone.contains($0.id) }
        base?.subtract(gone)
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
        let lastToken = lastToken
        self = before
        beginChange()
        self.lastToken = max(self.lastToken, lastToken)
        guard var members = changed.take() else { return }
        members.removeAll { !kept.contains($0.token) }
        for index in members.indices where new.contains(members[index].token) {
            members[index].isTakenBack = true
        }
        changed = members
        noteKeys(of: members)
        append(later)
    }
}
