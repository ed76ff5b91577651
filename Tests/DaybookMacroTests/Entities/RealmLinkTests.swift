#if Macros
import DaybookRealm
import Foundation
import Testing

/// Optional objects and sets of objects in Realm's spelling.
@Suite struct RealmLinkTests {
    private let directory = TemporaryDirectory()
    private let store: Store

    init() throws { store = try Store(directory: directory.url, entities: Keeper.self) }

    private var keepers: Box<Keeper> { store.box() }
    private var hounds: Box<Hound> { store.box() }

    /// Returns the keeper with a name, read from the store.
    private func keeper(_ name: String) throws -> Keeper {
        try #require(try keepers.get(key: name))
    }

    // MARK: Optional objects

    @Test func `a put stores a new linked object, which is read at the first access`() throws {
        let (ada, rex) = (Keeper("Ada"), Hound("Rex", age: 3))
        (ada.favourite, rex.keeper, rex.mood) = (rex, ada, .lively)
        ada.den = Den()
        ada.den?.city = "Bonn"
        try keepers.put(ada)
        #expect(rex.entityId == 1 && ada.favourite === rex)
        let found = try keeper("Ada")
        #expect(found.$favourite.link.targetId == EntityId(1))
        #expect(found.favourite?.name == "Rex" && found.favourite?.mood == .lively)
        #expect(found.favourite === found.favourite)
        #expect(found.favourite?.keeper?.name == "Ada" && found.den?.city == "Bonn")
        #expect(found.boss == nil && found.$boss.link.targetId == nil)
        try store.close()
        let again = try Store(directory: directory.url, entities: Keeper.self)
        let stored = try #require(try again.box(for: Keeper.self).get(1))
        #expect(stored.favourite?.name == "Rex")
        try again.close()
    }

    @Test func `a link is changed, kept and removed by a put of its object`() throws {
        let (ada, rex, max) = (Keeper("Ada"), Hound("Rex"), Hound("Max"))
        ada.favourite = rex
        try keepers.put(ada)
        try hounds.put(max)
        let found = try keeper("Ada")
        found.favourite = max
        #expect(try keeper("Ada").favourite?.name == "Rex")
        try keepers.put(found)
        #expect(try keeper("Ada").favourite?.name == "Max")
        // A put of an object whose link was not used keeps the link.
        try keepers.put(try keeper("Ada"))
        #expect(try keeper("Ada").favourite?.name == "Max")
        found.favourite = nil
        try keepers.put(found)
        #expect(try keeper("Ada").favourite == nil)
        #expect(try hounds.count() == 2)
        try store.close()
    }

    @Test func `a removed object disappears from links, sets and linking objects`() throws {
        let (ada, rex) = (Keeper("Ada"), Hound("Rex"))
        (ada.favourite, rex.keeper) = (rex, ada)
        ada.hounds.insert(rex)
        try keepers.put(ada)
        let found = try #require(try hounds.get(rex.entityId))
        #expect(found.keepers.map(\.name) == ["Ada"] && found.admirers.count == 1)
        try hounds.remove(rex)
        let after = try keeper("Ada")
        #expect(after.favourite == nil && after.$favourite.link.targetId == nil)
        #expect(after.hounds.isEmpty && after.kept.isEmpty && after.hounds.failure == nil)
        // A put of the old instance does not restore the links.
        try keepers.put(ada)
        #expect(try keeper("Ada").favourite == nil)
        try store.close()
    }

    @Test func `a link that cannot be read throws, and a put does not remove it`() throws {
        let (ada, rex) = (Keeper("Ada"), Hound("Rex"))
        ada.favourite = rex
        ada.hounds.insert(rex)
        try keepers.put(ada)
        let found = try keeper("Ada")
        try store.close()
        #expect(found.favourite == nil && found.$favourite.link.failure?.code == .closed)
        #expect(found.hounds.isEmpty && found.hounds.failure?.code == .closed)
        #expect(throws: DaybookError.self) { try found.$favourite.link.get() }
        #expect(throws: DaybookError.self) { try found.hounds.resolve() }
        let again = try Store(directory: directory.url, entities: Keeper.self)
        try again.box().put(found)
        let after = try #require(try again.box(for: Keeper.self).get(1))
        #expect(after.favourite?.name == "Rex" && after.hounds.ids == [1])
        try again.close()
    }

    @Test func `a transaction that is rolled back leaves the link to write`() throws {
        struct Stop: Error {}
        let ada = Keeper("Ada")
        ada.favourite = Hound("Rex")
        ada.hounds.insert(Hound("Max"))
        #expect(throws: Stop.self) {
            try store.write {
                try keepers.put(ada)
                throw Stop()
            }
        }
        #expect(try keepers.count() == 0 && ada.favourite?.name == "Rex")
        try keepers.put(ada)
        #expect(try keeper("Ada").favourite?.name == "Rex")
        #expect(try keeper("Ada").hounds.map(\.name) == ["Max"])
        try store.close()
    }

    @Test func `linking objects are the objects whose link refers to the object`() throws {
        let (ada, bob, rex) = (Keeper("Ada"), Keeper("Bob"), Hound("Rex"))
        (bob.boss, rex.keeper) = (ada, ada)
        try keepers.put(bob)
        try hounds.put(rex)
        let found = try keeper("Ada")
        #expect(found.team.map(\.name) == ["Bob"] && found.kept.map(\.name) == ["Rex"])
        #expect(found.team.originProperty == "boss")
        try store.close()
    }

    @Test func `the links of many objects are read in one pass, and share objects`() throws {
        let rex = Hound("Rex")
        for name in ["Ada", "Bob"] {
            let keeper = Keeper(name)
            keeper.favourite = rex
            keeper.hounds.insert(rex)
            try keepers.put(keeper)
        }
        let found = try keepers.including(\.$favourite.link, \.hounds).all()
        #expect(found.allSatisfy { $0.$favourite.link.failure == nil && $0.hounds.resolved })
        #expect(found[0].favourite === found[1].favourite && found[0].favourite != nil)
        try store.close()
    }

    @Test func `a long chain of objects that were not put is released`() throws {
        weak var last: Keeper?
        do {
            var first = Keeper("0")
            last = first
            for number in 1..<100_000 {
                let next = Keeper("\(number)")
                next.boss = first
                first = next
            }
            #expect(first.boss?.boss?.name == "99997")
        }
        #expect(last == nil)
        try store.close()
    }

    // MARK: Sets

    @Test func `a set contains each object once, and a put writes the differences`() throws {
        let (ada, rex, max) = (Keeper("Ada"), Hound("Rex"), Hound("Max"))
        ada.hounds.insert(rex)
        ada.hounds.insert(objectsIn: [max, rex])
        try keepers.put(ada)
        #expect(try hounds.count() == 2 && ada.hounds.count == 2)
        let (found, other) = (try keeper("Ada"), try keeper("Ada"))
        #expect(!found.hounds.resolved && found.hounds.ids.sorted() == [1, 2])
        #expect(found.hounds.contains(rex) && Set(found.hounds.map(\.name)) == ["Rex", "Max"])
        #expect(found.hounds == other.hounds && found.hounds.isSubset(of: other.hounds))
        other.hounds.insert(Hound("New"))
        try keepers.put(other)
        found.hounds.remove(rex)
        found.hounds.insert(max)
        try keepers.put(found)
        #expect(try Set(keeper("Ada").hounds.map(\.name)) == ["Max", "New"])
        #expect(found.hounds.count == 2 && !found.hounds.contains(rex))
        found.hounds = [max]
        try keepers.put(found)
        #expect(try keeper("Ada").hounds.map(\.name) == ["Max"])
        found.hounds.removeAll()
        try keepers.put(found)
        #expect(try keeper("Ada").hounds.isEmpty && hounds.count() == 3)
        try store.close()
    }

    @Test func `the positions of a set of objects visit every object`() throws {
        let ada = Keeper("Ada")
        ada.hounds = [Hound("Rex"), Hound("Max")]
        for keeper in [
            ada,
            try {
                try keepers.put(ada); return try keeper("Ada")
            }(),
        ] {
            let names = keeper.hounds.indices.map { keeper.hounds[$0].name }
            #expect(Set(names) == ["Rex", "Max"] && keeper.hounds.count == 2)
            #expect(keeper.hounds.projectTo.name.sorted() == ["Max", "Rex"])
            #expect(keeper.hounds.startIndex < keeper.hounds.endIndex)
        }
        #expect(ada.hounds.description.hasPrefix("MutableSet<Hound>"))
        let (one, other) = (try keeper("Ada").hounds, MutableSet<Hound>())
        other.formUnion(one)
        #expect(one.intersects(other) && other.count == 2)
        other.subtract(one)
        #expect(other.isEmpty && !one.intersects(other))
        other.insert(Hound("Rex"))
        other.formIntersection(one)
        #expect(other.isEmpty)
        try store.close()
    }

    // MARK: Queries

    @Test func `conditions follow links and sets`() throws {
        let (ada, bob) = (Keeper("Ada"), Keeper("Bob"))
        bob.boss = ada
        ada.favourite = Hound("Rex", age: 9)
        ada.hounds = [Hound("Max", age: 2), Hound("Tim", age: 12)]
        ada.den = Den()
        ada.den?.city = "Bonn"
        try keepers.put(bob)
        func names(_ condition: (Keeper.Type) -> Condition<Keeper>) throws -> [String] {
            try keepers.where(condition).find().map(\.name)
        }
        #expect(try names { $0.favourite.name == "Rex" } == ["Ada"])
        #expect(try names { $0.favourite.age > 9 } == [])
        #expect(try names { $0.boss.favourite.name.starts(with: "R") } == ["Bob"])
        #expect(try names { $0.boss == ada } == ["Bob"])
        #expect(try names { $0.boss == nil } == ["Ada"])
        #expect(try names { $0.boss != nil } == ["Bob"])
        #expect(try names { $0.hounds.age > 11 } == ["Ada"])
        #expect(try names { $0.hounds.any { $0.age > 11 && $0.name == "Max" } } == [])
        #expect(try names { $0.hounds.count == 2 } == ["Ada"])
        #expect(try names { $0.team.name == "Bob" } == ["Ada"])
        #expect(try names { $0.den.city == "Bonn" } == ["Ada"])
        let sorted = try keepers.query().sorted(by: \.boss.name, flags: .nullsLast).find()
        #expect(sorted.map(\.name) == ["Bob", "Ada"])
        try store.close()
    }

    // MARK: History and observation

    @Test func `history and views show the links of their version`() throws {
        let ada = Keeper("Ada")
        ada.favourite = Hound("Rex")
        ada.hounds = [Hound("Max")]
        try keepers.put(ada)
        let before = try store.sequence
        ada.favourite = Hound("Tim")
        ada.hounds = []
        try keepers.put(ada)
        let view = try store.view(at: .sequence(before))
        let old = try #require(try view.box(for: Keeper.self).get(1))
        #expect(old.favourite?.name == "Rex" && old.hounds.map(\.name) == ["Max"])
        #expect(try keeper("Ada").favourite?.name == "Tim")
        try store.undo(.commit(store.sequence))
        #expect(try keeper("Ada").favourite?.name == "Rex")
        #expect(try keeper("Ada").hounds.map(\.name) == ["Max"])
        try store.close()
    }

    @Test func `a live query reports that a linked object changes its result`() async throws {
        let ada = Keeper("Ada")
        ada.favourite = Hound("Rex")
        try await keepers.put(ada)
        var updates = keepers.where { $0.favourite.name == "Rex" }.updates().makeAsyncIterator()
        guard case .initial(let first)? = try await updates.next() else {
            Issue.record("The first update is not the result")
            return
        }
        #expect(first.map(\.name) == ["Ada"])
        ada.favourite?.name = "Max"
        try await hounds.put(try #require(ada.favourite))
        guard case .update(let changes)? = try await updates.next() else {
            Issue.record("The second update is not a change")
            return
        }
        #expect(changes.deletions == [0] && changes.objects.isEmpty)
        try await store.close()
    }

    // MARK: Identity

    @Test func `two instances of one object are not equal, but the same object`() throws {
        let ada = Keeper("Ada")
        try keepers.put(ada)
        let found = try keeper("Ada")
        #expect(ada == ada && ada != found && ada.isSameObject(as: found))
        #expect(!Keeper("Ada").isSameObject(as: Keeper("Ada")) && !ada.isSameObject(as: nil))
        #expect(
            !ada.isSameObject(
                as: try #require(
                    try { () -> Hound? in
                        let hound = Hound("Rex")
                        try hounds.put(hound)
                        return hound
                    }())))
        #expect(Set([ada, ada, found]).count == 2)
        try store.close()
    }
}
#endif
