#if Macros
import Daybook
import Foundation
import Testing

@Suite struct StoredEntityTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(
            directory: directory.url, entities: Person.self, Visit.self, Everything.self,
            Anything.self)
    }

    @Test func `a class object gets its id and is unchanged after reopening`() throws {
        let store = try open()
        let ada = Person(name: "Ada", age: 36)
        try store.box(for: Person.self).put(ada)
        #expect(ada.id == 1)
        try store.close()

        let again = try open()
        let found = try again.box(for: Person.self).get(1)
        #expect(found?.id == 1)
        #expect(found?.name == "Ada")
        #expect(found?.age == 36)
        #expect(found !== ada)
        try again.close()
    }

    @Test func `a struct of constants gets its id in a copy`() throws {
        let store = try Store(directory: directory.url, entities: Building.self)
        let box = store.box(for: Building.self)
        var stored = Building(id: 0, name: "hall", number: 7, draft: "draft")
        try box.put(&stored)
        #expect(stored.id == 1 && stored.draft == "draft")
        #expect(try box.get(stored.id) == Building(id: 1, name: "hall", number: 7))
        var other = Building(id: 0, name: "mill", number: nil)
        try box.put(&other)
        #expect(other.id == 2 && other.name == "mill")
        #expect(try box.query { $0.name == "mill" && $0.number == nil }.find() == [other])
        try store.close()
    }

    @Test func `a struct gets a typed id and is unchanged after reopening`() throws {
        let store = try open()
        let moment = Date(timeIntervalSince1970: 1_700_000_000.125)
        var visit = Visit(person: 7, moment: moment, note: "brought a book")
        try store.box(for: Visit.self).put(&visit)
        #expect(visit.id == EntityId<Visit>(1))
        try store.close()

        let again = try open()
        #expect(try again.box(for: Visit.self).get(visit.id) == visit)
        try again.close()
    }

    @Test func `a transient property of a decoded object has its default`() throws {
        let store = try open()
        let ada = Person(name: "Ada")
        ada.isSelected = true
        try store.box(for: Person.self).put(ada)
        #expect(try store.box(for: Person.self).get(1)?.isSelected == false)
        #expect(Person.entityDescription.properties.map(\.name) == ["name", "age"])
        try store.close()
    }

    @Test func `putting an object with one changed property replaces it`() throws {
        let store = try open()
        let box = store.box(for: Person.self)
        let ada = Person(name: "Ada")
        try box.put(ada)
        ada.age = 36
        try box.put(ada)
        #expect(try box.count() == 1)
        #expect(try box.get(1)?.age == 36)
        try store.close()
    }

    @Test(arguments: [
        Everything(),
        Everything(
            bool: true, int8: .min, int16: .min, int32: .min, int64: .min, int: .min, uint8: .max,
            uint16: .max, uint32: .max, uint64: .max, uint: .max, float: -.infinity,
            double: .leastNonzeroMagnitude, string: "Zoë 👩‍🚀",
            date: Date(timeIntervalSince1970: -1.5),
            data: Data([0, 255]), bytes: [1, 2, 3]),
        Everything(int8: .max, int16: .max, int32: .max, int64: .max, int: .max),
    ])
    func `values of every type are unchanged`(object: Everything) throws {
        let store = try open()
        var object = object
        try store.box(for: Everything.self).put(&object)
        try store.close()
        let again = try open()
        #expect(try again.box(for: Everything.self).get(1) == object)
        try again.close()
    }

    @Test(arguments: [
        Anything(),
        Anything(
            bool: false, int8: 0, int16: 0, int32: 0, int64: 0, int: 0, uint8: 0, uint16: 0,
            uint32: 0, uint64: 0, uint: 0, float: 0, double: 0, string: "",
            date: Date(timeIntervalSince1970: 0), data: Data(), bytes: []),
        Anything(int: 5, string: "five"),
    ])
    func `nil and zero of each type are different values`(object: Anything) throws {
        let store = try open()
        var object = object
        try store.box(for: Anything.self).put(&object)
        try store.close()
        let again = try open()
        #expect(try again.box(for: Anything.self).get(1) == object)
        try again.close()
    }

    @Test func `descriptions contain the types of the properties`() {
        let properties = Everything.entityDescription.properties
        #expect(properties.count == 17)
        #expect(
            properties.map(\.type) == [
                .bool, .int8, .int16, .int32, .int64, .int64, .uint8, .uint16, .uint32, .uint64,
                .uint64, .float, .double, .string, .date, .bytes, .bytes,
            ])
        #expect(properties.allSatisfy { !$0.isOptional })
        #expect(Anything.entityDescription.properties.allSatisfy { $0.isOptional })
    }

    @Test func `a property that was added later is nil in older objects`() throws {
        let earlier = try Store(directory: directory.url, entities: Earlier.Person.self)
        try earlier.box(for: Earlier.Person.self).put(Earlier.Person(name: "Ada"))
        try earlier.close()

        let store = try open()
        let found = try store.box(for: Person.self).get(1)
        #expect(found?.name == "Ada")
        #expect(found?.age == nil)
        try store.close()
    }

    @Test func `generated code works in several tasks at once`() async throws {
        let store = try open()
        let box = store.box(for: Visit.self)
        try await withThrowingTaskGroup(of: Id.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await box.put(
                        Visit(person: Id(number), moment: Date(timeIntervalSince1970: 0), note: ""))
                }
            }
            var ids: Set<Id> = []
            for try await id in group { ids.insert(id) }
            #expect(ids == Set(1...20))
        }
        try await store.close()
    }
}
#endif
