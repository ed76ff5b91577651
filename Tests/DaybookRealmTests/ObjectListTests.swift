@testable import Daybook
import DaybookEngine
@testable import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

/// Lists of objects, and the objects that have one in their lists.
@Suite struct ObjectListTests {
    private let directory = TemporaryDirectory()
    private let store: Store

    init() throws { store = try Store(directory: directory.url, entities: Owner.self) }

    private var owners: Box<Owner> { store.box() }
    private var dogs: Box<Dog> { store.box() }

    /// Returns an owner of dogs with these names, read from the store.
    private func owner(_ names: String...) throws -> Owner {
        let owner = Owner("Ada")
        owner.dogs.append(objectsIn: names.map { Dog($0) })
        try owners.put(owner)
        return try #require(try owners.get(owner.entityId))
    }

    @Test func `a list keeps order and duplicates, and is a collection of objects`() throws {
        let (owner, rex, max) = (Owner("Ada"), Dog("Rex"), Dog("Max"))
        owner.dogs.append(objectsIn: [rex, max, rex])
        try owners.put(owner)
        #expect(owner.dogs.ids == [1, 2, 1] && rex.entityId == 1)
        let found = try #require(try owners.get(1))
        #expect(!found.dogs.resolved && found.dogs.ids == [1, 2, 1] && !found.dogs.resolved)
        #expect(found.dogs.map(\.name) == ["Rex", "Max", "Rex"] && found.dogs.resolved)
        #expect(found.dogs[0] === found.dogs[2])
        #expect(found.dogs.last?.name == "Rex")
        #expect(try dogs.count() == 2)
        try store.engine.proveReplay()
        try store.close()
        let again = try Store(directory: directory.url, entities: Owner.self)
        #expect(try again.box(for: Owner.self).get(1)?.dogs.ids == [1, 2, 1])
        try again.close()
    }

    @Test func `a put writes only the edits of a list`() throws {
        let home = RecordCounter(store.engine)
        let owner = try owner("a", "b", "c", "d")
        owner.dogs.insert(Dog("new"), at: 1)
        #expect(try home.records { try owners.put(owner) } == ["put": 2, "link": 1])
        owner.dogs.move(from: 0, to: 2)
        #expect(owner.dogs.map(\.name) == ["new", "b", "a", "c", "d"])
        #expect(try home.records { try owners.put(owner) } == ["put": 1, "link": 1, "unlink": 1])
        owner.dogs.swapAt(0, 4)
        owner.dogs.remove(at: 1)
        owner.dogs.removeFirst()
        owner.dogs.removeLast()
        owner.dogs.replace(index: 0, object: Dog("other"))
        owner.dogs[1] = Dog("last")
        try owners.put(owner)
        #expect(try owners.get(1)?.dogs.map(\.name) == ["other", "last"])
        #expect(try home.records { try owners.put(owner) } == ["put": 1])
        owner.dogs.removeAll { $0.name == "other" }
        try owners.put(owner)
        #expect(try owners.get(1)?.dogs.map(\.name) == ["last"])
        owner.dogs.removeAll()
        try owners.put(owner)
        #expect(try owners.get(1)?.dogs.isEmpty == true)
        #expect(try dogs.count() == 7)
        try store.close()
    }

    @Test func `an append reads no element, and concurrent insertions stay`() throws {
        let (one, other) = (try owner("a", "b"), try #require(try owners.get(1)))
        #expect(other.dogs.count == 2)
        one.dogs.append(Dog("c"))
        #expect(!one.dogs.resolved)
        try owners.put(one)
        other.dogs.insert(Dog("first"), at: 0)
        other.dogs.remove(at: 2)
        try owners.put(other)
        #expect(try owners.get(1)?.dogs.map(\.name) == ["first", "a", "c"])
        #expect(one.dogs.map(\.name) == ["first", "a", "c"])
        // The put discards the elements that the list had read.
        #expect(other.dogs.map(\.name) == ["first", "a", "c"])
        try store.close()
    }

    @Test func `a removed dog disappears from all lists`() throws {
        let owner = try owner("a", "b")
        owner.dogs.append(owner.dogs[0])
        try owners.put(owner)
        try dogs.remove(1)
        #expect(try owners.get(1)?.dogs.map(\.name) == ["b"])
        // The loaded list still contains the dog, and a put does not restore it.
        owner.firstName = "Augusta"
        try owners.put(owner)
        #expect(try owners.get(1)?.dogs.map(\.name) == ["b"])
        try store.close()
    }

    @Test func `a list that is assigned to another owner is written there too`() throws {
        let (one, other) = (try owner("a", "b"), Owner("Bob"))
        other.dogs = one.dogs
        try owners.put(other)
        #expect(try owners.get(2)?.dogs.ids == [1, 2])
        other.dogs = List([try #require(try dogs.get(2))])
        try owners.put(other)
        #expect(try owners.all().map(\.dogs.ids) == [[1, 2], [2]])
        other.dogs = List()
        try owners.put(other)
        #expect(try owners.all().map(\.dogs.ids) == [[1, 2], [2]])
        other.dogs = []
        try owners.put(other)
        #expect(try owners.all().map(\.dogs.ids) == [[1, 2], []])
        try store.close()
    }

    @Test func `a list of a closed store is empty and reports the reason`() throws {
        let owner = try owner("a", "b")
        try store.close()
        #expect(owner.dogs.isEmpty && owner.dogs.failure?.code == .closed)
        #expect(owner.dogs.ids.isEmpty && Array(owner.dogs).isEmpty)
        expectError(.closed) { try owner.dogs.resolve() }
        owner.dogs.append(Dog("new"))
        #expect(owner.dogs.map(\.name) == ["new"])
        owner.dogs.removeAll()
        let again = try Store(directory: directory.url, entities: Owner.self)
        expectError(.closed) { try again.box().put(owner) }
        #expect(try again.box(for: Owner.self).get(1)?.dogs.count == 2)
        try again.close()
    }

    // MARK: The other side

    @Test func `linking objects contain each owner once`() throws {
        let (ada, bob, rex) = (Owner("Ada"), Owner("Bob"), Dog("Rex"))
        ada.dogs.append(objectsIn: [rex, rex])
        bob.dogs.append(rex)
        try owners.put([ada, bob])
        #expect(rex.owners.map(\.firstName) == ["Ada", "Bob"])
        #expect(rex.owners.originProperty == "dogs")
        let found = try #require(try dogs.get(1))
        #expect(found.owners.map(\.firstName) == ["Ada", "Bob"])
        #expect(found.owners.ids == [1, 2] && found.owners.count == 2)
        #expect(found.owners.originProperty == "dogs")
        #expect(found.owners.projectTo.firstName == ["Ada", "Bob"])
        try owners.remove(1)
        #expect(found.owners.count == 2)
        found.owners.reset()
        #expect(found.owners.first?.firstName == "Bob" && found.owners.count == 1)
        try owners.put(bob)
        try dogs.put(found)
        #expect(try owners.get(2)?.dogs.ids == [1])
        try store.close()
        found.owners.reset()
        #expect(found.owners.isEmpty && found.owners.failure?.code == .closed)
        expectError(.closed) { try found.owners.resolve() }
    }

    @Test func `adding to a backlink appends to the list, and removing removes all occurrences`()
        throws
    {
        let (ada, bob, rex) = (try owner("a"), Owner("Bob"), Dog("Rex"))
        bob.dogs.append(objectsIn: [rex, Dog("b"), rex])
        try owners.put(bob)
        let log = RecordCounter(store.engine)
        let found = try #require(try dogs.get(rex.entityId))
        #expect(found.keepers.map(\.firstName) == ["Bob"])
        found.keepers.append(ada)
        found.keepers.append(Owner("Eve"))
        #expect(try log.records { try found.keepers.applyToDb() } == ["put": 1, "link": 2])
        #expect(
            try owners.all().map { $0.dogs.map(\.name) } == [
                ["a", "Rex"], ["Rex", "b", "Rex"], ["Rex"],
            ])
        found.keepers.removeAll { $0.firstName == "Bob" }
        #expect(try log.records { try found.keepers.applyToDb() } == ["unlink": 2])
        #expect(try owners.get(2)?.dogs.map(\.name) == ["b"])
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `names of friends are projected`() throws {
        let ada = Owner("Ada")
        ada.friends.append(objectsIn: [Owner("Bob"), Owner("Eve")])
        try owners.put(ada)
        let projections = owners.projections(OwnerProjection.self)
        #expect(try projections.get(1)?.firstFriendsName == ["Bob", "Eve"])
        try projections.update(1) { $0.firstName = "Augusta" }
        let found = try #require(try owners.get(1))
        #expect(found.firstName == "Augusta" && found.friends.ids == [2, 3])
        #expect(found.friends.projectTo.firstName == ["Bob", "Eve"])
        let error = expectError(.invalidArgument) {
            try projections.update(1) { $0.firstFriendsName = [] }
        }
        #expect(error?.details["property"] == "firstFriendsName")
        try store.close()
    }

    // MARK: Objects that were put before their links

    @Test func `a list of an object that was put first contains objects that were linked later`()
        throws
    {
        let owner = Owner("Ada")
        try owners.put(owner)
        let other = try #require(try owners.get(owner.entityId))
        other.dogs.append(objectsIn: [Dog("Rex"), Dog("Max")])
        try owners.put(other)
        #expect(owner.dogs.map(\.name) == ["Rex", "Max"])
        let third = try #require(try owners.get(owner.entityId))
        third.dogs.append(Dog("Bello"))
        try owners.put(third)
        owner.dogs.removeAll()
        try owners.put(owner)
        #expect(try owners.get(owner.entityId)?.dogs.isEmpty == true && owner.dogs.isEmpty)
        try store.close()
    }

    @Test func `the ids of a list that was put contain each element once`() throws {
        let owner = Owner("Ada")
        owner.dogs.append(objectsIn: [Dog("Rex"), Dog("Max")])
        try owners.put(owner)
        #expect(owner.dogs.ids == [1, 2])
        owner.dogs.append(Dog("Bello"))
        #expect(owner.dogs.ids == [1, 2, 0])
        try owners.put(owner)
        #expect(owner.dogs.ids == [1, 2, 3] && owner.dogs.count == 3)
        try store.close()
    }

    @Test func `linking objects of an object that was put first contain later owners`() throws {
        let rex = Dog("Rex")
        #expect(rex.owners.isEmpty)
        try dogs.put(rex)
        for name in ["Ada", "Bob"] {
            let owner = Owner(name)
            owner.dogs.append(rex)
            try owners.put(owner)
        }
        #expect(rex.owners.map(\.firstName) == ["Ada", "Bob"])
        let eve = Owner("Eve")
        eve.dogs.append(rex)
        try owners.put(eve)
        // A put of the dog writes no link, and discards the loaded owners.
        #expect(rex.owners.count == 2)
        try dogs.put(rex)
        #expect(rex.owners.map(\.firstName) == ["Ada", "Bob", "Eve"])
        #expect(try dogs.get(rex.entityId)?.owners.count == 3)
        try store.close()
    }

    @Test func `linking objects of another object are not copied`() throws {
        let (rex, owner) = (Dog("Rex"), Owner("Ada"))
        owner.dogs.append(rex)
        try owners.put(owner)
        let max = Dog("Max")
        max.owners = try #require(try dogs.get(rex.entityId)).owners
        try dogs.put(max)
        #expect(try owners.get(owner.entityId)?.dogs.map(\.name) == ["Rex"])
        #expect(try dogs.get(max.entityId)?.owners.isEmpty == true)
        try store.close()
    }
}
