/// The objects of a ``ToMany``, and the state of its links in the store.
///
/// - The *base* is the set of linked ids that the store had when the list was last read or
///   written. The difference between the base and the members is the local changes. Without a
///   base the links are unknown, and all members are additions.
/// - After a put the base is *stale*. It contains the links that the put wrote, but other programs
///   may have changed the links since then. The next use reads the links and merges them with the
///   local changes.
/// - A *whole* list replaces all links of the store, so it needs no base and no read.
struct MemberList<Target: Entity> {
    struct Member {
        var object: Target
        /// The id of the object in the store; 0 if the list does not know it. User code may clear
        /// the id of the object itself.
        var id: Id
        /// Identifies the member within the relation, even if its ids change. A token is never
        /// reused.
        let token: Int
        /// Whether the object was put in a transaction that was rolled back. The object then has an
        /// id but is not stored.
        var isRolledBack = false

        /// The id of the member, or else the id of its object; 0 if neither has an id.
        var storedId: Id { id != 0 ? id : object.entityId }

        /// The identity of a class instance; nil for a struct.
        var identity: ObjectIdentifier? { ObjectIdentifier(instance: object) }

        /// The key of the member among the members of its list.
        var key: MemberKey {
            let id = storedId
            if id != 0 { return .id(id) }
            return identity.map { .object($0) } ?? .token(token)
        }
    }

    /// The content of a list that was read and not changed. Most lists are never changed, so only
    /// the first change fills the other properties.
    private var readIds: [Id] = []
    private(set) var readObjects: [Target]?
    var changed: [Member]?
    private var changedBase: Set<Id>?
    /// Whether the list has a base, because its links were read or written.
    private(set) var hasBase = false
    /// Whether a put wrote the base and no read followed.
    var isStale = false
    /// Whether the members replace all links of the store.
    var isWhole = false {
        didSet { if isWhole { replaceCount += 1 } }
    }
    /// The number of times the list became whole.
    var replaceCount = 0
    /// The last token that was used.
    var lastToken = 0
    private var keys: Set<MemberKey> = []
    /// Whether the list may contain class instances that had no id when they were added.
    private var mayGainIds = false

    /// Creates a list of objects that were read.
    init(_ ids: [Id], stored objects: [Target]) {
        readIds = ids
        readObjects = objects
        hasBase = true
        lastToken = ids.count
    }

    /// Creates an empty list without a base, to replace another list of the same relation.
    init(after other: MemberList) {
        lastToken = other.lastToken
        replaceCount = other.replaceCount
    }

    /// Creates an empty list without a base.
    init() {}

    /// Creates a list of objects that replace all links.
    init(whole objects: [Target]) {
        isWhole = true
        if !objects.isEmpty { append(objects) }
    }

    /// The linked ids that the store had when the list was last read or written; nil if unknown.
    var base: Set<Id>? {
        get { hasBase ? changedBase ?? Set(readIds) : nil }
        set {
            changedBase = newValue
            hasBase = newValue != nil
            if !hasBase { isStale = false }
        }
    }

    /// Whether the list needs no read before its next use.
    @inline(__always)
    var isRead: Bool { isWhole || (hasBase && !isStale) }

    @inline(__always)
    var isEmpty: Bool { count == 0 }
    @inline(__always)
    var count: Int { changed?.count ?? readObjects?.count ?? 0 }

    /// The objects of the members.
    @inline(__always)
    var objects: [Target] { changed?.map(\.object) ?? readObjects ?? [] }

    @inline(__always)
    func object(at index: Int) -> Target {
        if let changed { return changed[index].object }
        guard let readObjects else { preconditionFailure("the list is empty") }
        return readObjects[index]
    }

    var members: [Member] {
        get { changed ?? readMembers }
        set { changed = newValue }
    }

    private var readMembers: [Member] {
        guard let readObjects else { return [] }
        return readIds.indices.map { index in
            Member(
                object: readObjects[index], id: readIds[index],
                token: lastToken - readIds.count + index + 1)
        }
    }

    /// Fills the properties that a change needs.
    mutating func beginChange() {
        guard changed == nil else { return }
        let members = readMembers
        noteKeys(of: members)
        changed = members
        if changedBase == nil, hasBase { changedBase = Set(readIds) }
        (readIds, readObjects) = ([], nil)
    }

    private mutating func numbered(_ object: Target, _ id: Id) -> Member {
        lastToken += 1
        return Member(object: object, id: id, token: lastToken)
    }

    /// Releases the objects. Only for a relation that is not used again.
    @inline(__always)
    mutating func dropObjects() { (readObjects, changed) = (nil, nil) }

    // MARK: Keys

    mutating func noteKeys(of members: [Member]) {
        keys = []
        keys.reserveCapacity(members.count)
        mayGainIds = false
        for member in members { noteKeys(of: member) }
    }

    private mutating func noteKeys(of member: Member) {
        keys.insert(member.key)
        // User code may set or clear the id of an object, so note its identity too.
        guard member.id == 0, let identity = member.identity else { return }
        keys.insert(.object(identity))
        mayGainIds = mayGainIds || member.storedId == 0
    }

    /// Notes the ids of objects that received an id after they were added.
    private mutating func noteGainedIds() {
        guard mayGainIds, let changed else { return }
        mayGainIds = false
        for member in changed where member.id == 0 {
            if member.storedId == 0 { mayGainIds = true } else { keys.insert(member.key) }
        }
    }

    /// Notes the keys of a member. Returns false, and notes nothing, if the list contains the same
    /// object or an object with the same id.
    private mutating func remember(_ member: Member) -> Bool {
        if let identity = member.identity, keys.contains(.object(identity)) { return false }
        if keys.contains(member.key) { return false }
        noteKeys(of: member)
        return true
    }

    private mutating func forget(_ member: Member) {
        keys.remove(member.key)
        if let identity = member.identity { keys.remove(.object(identity)) }
    }

    // MARK: Changes

    /// Adds the objects that are not in the list.
    mutating func append(_ objects: [Target]) {
        beginChange()
        // Only an object with an id can equal a member that received an id after it was added.
        if mayGainIds, objects.contains(where: { $0.entityId != 0 }) { noteGainedIds() }
        for object in objects {
            let member = numbered(object, 0)
            if remember(member) {
                changed?.append(member)
            } else if isStale {
                // Another program may have removed the link since the put, so write it again.
                changedBase?.remove(member.storedId)
            }
        }
    }

    /// Adds the members that are not in the list. They keep their tokens.
    mutating func append(_ new: some Sequence<Member>) {
        beginChange()
        noteGainedIds()
        for member in new where remember(member) { changed?.append(member) }
    }

    /// Replaces a range of objects. Skips new objects that the rest of the list contains, and
    /// clamps the range to the bounds of the list.
    ///
    /// - Returns: The members of the range.
    @discardableResult
    mutating func replaceSubrange(_ range: Range<Int>, with objects: [Target]) -> [Member] {
        beginChange()
        noteGainedIds()
        guard var members = changed.take() else { return [] }
        let start = min(max(0, range.lowerBound), members.count)
        let end = min(max(start, range.upperBound), members.count)
        let gone = Array(members[start..<end])
        var known: [MemberKey: Member] = [:]
        for member in gone {
            forget(member)
            if !objects.isEmpty { known[member.key] = member }
        }
        var new: [Member] = []
        for object in objects {
            var member = numbered(object, 0)
            // A member that is removed and inserted again keeps its id.
            if let before = known[member.key] {
                member.id = before.id
                member.isRolledBack = before.isRolledBack
            }
            if remember(member) { new.append(member) }
        }
        members.replaceSubrange(start..<end, with: new)
        changed = members
        return gone
    }

    /// Returns the index of an object; nil if it is not in the list. Compares both id and identity,
    /// because a class instance may have received or lost its id after it was added.
    mutating func index(of object: Target) -> Int? {
        noteGainedIds()
        let sought = Member(object: object, id: 0, token: 0)
        let (key, identity) = (sought.key, sought.identity)
        if changed != nil, !keys.contains(key) {
            guard let identity, keys.contains(.object(identity)) else { return nil }
        }
        return members.firstIndex {
            $0.key == key || (identity != nil && $0.identity == identity)
        }
    }

    mutating func removeAll(where condition: (Member) throws -> Bool) rethrows {
        beginChange()
        try members.removeAll(where: condition)
        noteKeys(of: members)
    }

    /// The members whose links are not in the base.
    var added: [Member] {
        if !isWhole, hasBase, changed == nil, changedBase == nil { return [] }
        guard let base, !isWhole else { return members }
        return members.filter { $0.storedId == 0 || !base.contains($0.storedId) }
    }

    /// The ids of the base whose objects are not members.
    var removed: [Id] {
        if changed == nil, changedBase == nil { return [] }
        guard let base, !isWhole else { return [] }
        return base.subtracting(members.map(\.storedId)).sorted()
    }

    /// The members that a put for a host with the links `known` adds; nil is ``base``.
    func added(to known: Set<Id>?) -> [Member] {
        guard let known else { return added }
        return members.filter {
            $0.storedId == 0 || $0.isRolledBack || !known.contains($0.storedId)
        }
    }

    /// The ids that a put for a host with the links `known` removes; nil is ``base``.
    func removed(from known: Set<Id>?) -> [Id] {
        known.map { $0.subtracting(members.map(\.storedId)).sorted() } ?? removed
    }

    var hasChanges: Bool { isWhole || !added.isEmpty || !removed.isEmpty }

    // MARK: Reads

    /// The ids of the objects in memory. A read can skip their rows.
    var heldIds: Set<Id> { Set(heldObjects.keys) }

    private var heldObjects: [Id: Target] {
        var held: [Id: Target] = [:]
        for member in members where member.storedId != 0 && !member.isRolledBack {
            held[member.storedId] = member.object
        }
        return held
    }

    /// Makes the links that were read the base. Local changes stay, and additions follow the
    /// objects that were read. Objects in memory keep their identity.
    ///
    /// - Parameters:
    ///   - ids: The ids of the links, ascending.
    ///   - readIds: The ids of the objects that were read. It may omit objects in memory.
    mutating func merge(_ ids: [Id], _ readIds: [Id], _ objects: [Target]) {
        if !hasBase, changed == nil {
            // The first read of a list without changes, the common case, merges nothing.
            (self.readIds, readObjects) = (readIds, objects)
            (hasBase, lastToken) = (true, lastToken + readIds.count)
            return
        }
        let (added, removed, held) = (added, Set(removed), heldObjects)
        var merged: MemberList
        if held.isEmpty, removed.isEmpty {
            merged = MemberList(readIds, stored: objects)
        } else {
            var found = Dictionary(zip(readIds, objects), uniquingKeysWith: { first, _ in first })
            found.merge(held) { _, held in held }
            let shown = ids.filter { !removed.contains($0) && found[$0] != nil }
            merged = MemberList(shown, stored: shown.compactMap { found[$0] })
            if !removed.isEmpty { merged.base = Set(ids) }
        }
        merged.lastToken += lastToken
        merged.replaceCount = replaceCount
        if !added.isEmpty { merged.append(added) }
        self = merged
    }

    /// Discards the base and the objects that were read. Additions stay.
    mutating func forgetRead() {
        let added = added
        self = MemberList(after: self)
        if !added.isEmpty { append(added) }
    }

    /// Removes the ids that the store no longer has from the base and the list.
    ///
    /// - Parameter ids: The linked ids in the store.
    mutating func rebase(on ids: Set<Id>) {
        beginChange()
        let gone = (base ?? []).subtracting(ids)
        removeAll { $0.id != 0 && gone.contains($0.id) }
        base?.subtract(gone)
    }
}

/// Identifies a member of a list: by its id, or, without one, by its instance or its token.
///
/// It does not depend on the type of the objects, so sets of keys need no lookup of generic
/// metadata.
enum MemberKey: Hashable {
    case id(Id)
    case object(ObjectIdentifier)
    case token(Int)
}
