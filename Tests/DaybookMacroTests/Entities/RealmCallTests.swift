#if Macros
import DaybookRealm
import Foundation
import Testing

/// Realm's names for operations of a store.
@Suite struct RealmCallTests {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            directoryPath: "memory:\(UUID())", entities: Keeper.self, WeatherSensor.self)
    }

    private func failure(_ body: () throws -> Void) -> DaybookError? {
        do {
            try body()
            return nil
        } catch {
            return error as? DaybookError
        }
    }

    @Test func `add stores the linked objects, and refuses a duplicate primary key`() throws {
        let (ada, bob) = (Keeper("Ada"), Keeper("Bob"))
        ada.favourite = Hound("Rex", age: 3)
        ada.hounds.insert(Hound("Max", age: 5))
        ada.boss = bob
        try realm.write { try realm.add(ada) }
        #expect(try realm.objects(Hound.self).count() == 2)
        #expect(try realm.object(ofType: Keeper.self, forPrimaryKey: "Bob")?.entityId != nil)
        let other = Keeper("Ada")
        #expect(failure { try realm.add(other) }?.code == .uniqueViolation)
        // The policy applies to linked objects, too.
        let carl = Keeper("Carl")
        carl.boss = Keeper("Bob")
        #expect(failure { try realm.add(carl) }?.code == .uniqueViolation)
        #expect(try realm.objects(Keeper.self).count() == 2)
        #expect(try realm.object(ofType: Keeper.self, forPrimaryKey: "Ada")?.favourite != nil)
        // A stored object is stored again with its changes.
        ada.favourite?.age = 4
        ada.favourite = nil
        try realm.add(ada)
        #expect(try realm.object(ofType: Keeper.self, forPrimaryKey: "Ada")?.favourite == nil)
        try realm.close()
    }

    @Test func `add with a policy replaces the object with the key`() throws {
        try realm.add([Keeper("Ada"), Keeper("Bob")])
        let ada = Keeper("Ada")
        ada.favourite = Hound("Rex")
        try realm.add(ada, update: .modified)
        let policy: Realm.UpdatePolicy = .all
        try realm.add([Keeper("Bob")], update: policy)
        #expect(try realm.objects(Keeper.self).count() == 2 && ada.entityId == 1)
        let found = try realm.object(ofType: Keeper.self, forPrimaryKey: "Ada")
        #expect(found?.favourite?.name == "Rex")
        #expect(failure { try realm.add(Hound("a"), update: .all) }?.code == .invalidArgument)
        try realm.close()
    }

    @Test func `create makes an object of values, links and initial values`() throws {
        let rex = try realm.create(Hound.self, value: ["name": "Rex", "age": 3])
        #expect(rex.name == "Rex" && rex.age == 3 && rex.entityId == 1 && rex.keeper == nil)
        let ada = try realm.create(
            Keeper.self,
            value: [
                "name": "Ada", "favourite": rex, "hounds": [rex, Hound("Max")],
                "den": ["city": "Bonn"], "boss": Keeper?.none as Any,
            ])
        #expect(ada.favourite?.name == "Rex" && ada.hounds.count == 2 && ada.den?.city == "Bonn")
        #expect(try realm.objects(Hound.self).where { $0.age > 2 }.count() == 1)
        let owner = try Store(directoryPath: "memory:\(UUID())", entities: Owner.self)
        let made = try owner.create(Owner.self, value: ["firstName": "Ada", "mood": Mood.lively])
        #expect(made.firstName == "Ada" && made.mood == .lively)
        #expect(try owner.create(Owner.self)._id != made._id)
        try owner.close()
        try realm.close()
    }

    @Test func `create with a policy changes only the given values`() throws {
        let rex = Hound("Rex")
        try realm.create(Keeper.self, value: ["name": "Ada", "favourite": rex])
        #expect(
            failure { try realm.create(Keeper.self, value: ["name": "Ada"]) }?.code
                == .uniqueViolation)
        let ada = try realm.create(
            Keeper.self, value: ["name": "Ada", "den": ["city": "Bonn"]], update: .modified)
        #expect(ada.favourite?.name == "Rex" && ada.den?.city == "Bonn")
        let next = try realm.create(
            Keeper.self, value: ["name": "Ada", "favourite": Hound("Max")], update: .all)
        #expect(next.favourite?.name == "Max" && next.den?.city == "Bonn")
        #expect(try realm.objects(Keeper.self).count() == 1)
        try realm.close()
    }

    @Test func `create refuses unknown properties and unsuitable values`() throws {
        let misspelled = failure { try realm.create(Hound.self, value: ["nam": "Rex"]) }
        #expect(misspelled?.code == .invalidArgument)
        #expect(misspelled?.message.contains("'name'") == true)
        #expect(
            failure { try realm.create(Hound.self, value: ["age": "three"]) }?.code
                == .invalidValue)
        #expect(
            failure { try realm.create(Hound.self, value: ["keeper": 7]) }?.code
                == .invalidArgument)
        #expect(
            failure { try realm.create(Hound.self, value: ["age": realm]) }?.code
                == .invalidArgument)
        #expect(
            failure { try realm.create(Hound.self, value: ["name": "a"], update: .all) }?.code
                == .invalidArgument)
        #expect(try realm.objects(Hound.self).count() == 0)
        try realm.close()
    }

    @Test func `create appends an asymmetric object`() async throws {
        var commits = realm.changes(of: [WeatherSensor.self]).makeAsyncIterator()
        try realm.create(WeatherSensor.self, value: ["deviceId": "a", "celsius": 21.5])
        try realm.create(WeatherSensor.self, value: ["deviceId": "b", "celsius": 3])
        #expect(
            failure { try realm.create(WeatherSensor.self, value: ["celsius": "warm"]) }?.code
                == .invalidValue)
        for (device, celsius) in [("a", Float(21.5)), ("b", 3)] {
            let found = try await commits.next()?.events(of: WeatherSensor.self).first
            #expect(found?.deviceId == device && found?.celsius == celsius)
        }
        try await realm.close()
    }

    @Test func `delete removes objects, lists of objects and the results of queries`() throws {
        let hounds = (0..<5).map { Hound("\($0)", age: $0) }
        try realm.add(hounds)
        try realm.delete(hounds[0])
        try realm.delete([hounds[1], hounds[0]])
        try realm.delete(realm.objects(Hound.self).where { $0.age > 3 })
        #expect(try realm.objects(Hound.self).find().map(\.age) == [2, 3])
        let some = realm.objects(Hound.self).where { $0.age > 1 }.where { $0.age < 3 }
        #expect(try some.count() == 1)
        try realm.close()
    }

    @Test func `deleteAll removes the objects of all classes, and new objects can follow`() throws {
        let ada = Keeper("Ada")
        ada.favourite = Hound("Rex", age: 3)
        ada.hounds.insert(Hound("Max", age: 5))
        try realm.add(ada)
        let before = try realm.sequence
        try realm.deleteAll()
        #expect(try realm.sequence == before + 1)
        #expect(try realm.objects(Keeper.self).count() == 0)
        #expect(try realm.objects(Hound.self).count() == 0)
        #expect(try realm.view(at: .sequence(before)).box(for: Hound.self).count() == 2)
        try realm.add(Keeper("Ada"))
        #expect(try realm.objects(Keeper.self).count() == 1)
        try realm.close()
    }
}
#endif
