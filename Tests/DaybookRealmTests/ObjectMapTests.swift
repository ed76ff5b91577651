import DaybookEngine
import DaybookTestSupport
import DaybookTesting
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRealm

/// Maps of objects.
@Suite struct ObjectMapTests {
    private let directory = TemporaryDirectory()
    private let store: Store

    init() throws { store = try Store(directory: directory.url, entities: Garden.self) }

    private var gardens: Box<Garden> { store.box() }
    private var plants: Box<Plant> { store.box() }

    private func reopened() throws -> Store {
        try store.close()
        return try Store(directory: directory.url, entities: Garden.self)
    }

    /// Returns a garden with plants of these names by their keys, read from the store.
    private func garden(_ names: [String: String]) throws -> Garden {
        let garden = Garden("Eden")
        for (key, name) in names { garden.plants[key] = Plant(name) }
        try gardens.put(garden)
        return try #require(try gardens.get(garden.entityId))
    }

    @Test func `a map has objects by key, and one object may have several keys`() throws {
        let (garden, rose) = (Garden("Eden"), Plant("rose"))
        garden.plants["north"] = rose
        garden.plants["south"] = Plant("fig")
        garden.plants[""] = rose
        try gardens.put(garden)
        #expect(try plants.count() == 2)
        #expect(garden.names == ["north": "rose", "south": "fig", "": "rose"])
        let found = try #require(try gardens.get(garden.entityId))
        #expect(!found.plants.resolved)
        #expect(found.plants["south"]??.name == "fig" && found.plants.resolved)
        #expect(found.plants["north"]! === found.plants[""]!)
        #expect(found.plants["west"] == nil && found.plants.count == 3)
        #expect(Set(found.plants.keys) == ["north", "south", ""])
        #expect(found.plants.ids["north"] == rose.entityId)
        try store.engine.proveReplay()
        let again = try reopened()
        #expect(try again.box(for: Garden.self).get(1)?.names == garden.names)
        try again.close()
    }

    @Test func `a put writes only the keys that changed`() throws {
        let log = RecordCounter(store.engine)
        let garden = try garden(["a": "1", "b": "2", "c": "3"])
        garden.plants["b"] = Plant("4")
        #expect(
            try log.records { try gardens.put(garden) } == ["put": 2, "link": 1, "unlink": 1])
        garden.plants["d"] = garden.plants["a"]
        garden.plants["a"] = nil
        #expect(
            try log.records { try gardens.put(garden) } == ["put": 1, "link": 1, "unlink": 1])
        #expect(try gardens.get(1)?.names == ["b": "4", "c": "3", "d": "1"])
        garden.name = "Other"
        #expect(try log.records { try gardens.put(garden) } == ["put": 1])
        garden.plants["c"] = garden.plants["c"]
        #expect(try log.records { try gardens.put(garden) } == ["put": 1])
        #expect(garden.plants.updateValue(nil, forKey: "d")??.name == "1")
        #expect(garden.plants.removeValue(forKey: "b")??.name == "4")
        garden.plants.removeObject(for: "x")
        #expect(try log.records { try gardens.put(garden) } == ["put": 1, "unlink": 2])
        #expect(try gardens.get(1)?.names == ["c": "3"])
        garden.plants.merge(["e": Plant("5"), "f": nil])
        try gardens.put(garden)
        #expect(try gardens.get(1)?.names == ["c": "3", "e": "5"])
        garden.plants.removeAll()
        try gardens.put(garden)
        #expect(try gardens.get(1)?.plants.isEmpty == true)
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `keys that other copies set stay, and the last writer of a key wins`() throws {
        let (one, other) = (try garden(["a": "1", "b": "2"]), try #require(try gardens.get(1)))
        #expect(one.plants.count == 2 && other.plants.count == 2)
        one.plants["a"] = Plant("one")
        one.plants["c"] = Plant("new")
        other.plants["a"] = Plant("other")
        other.plants["b"] = nil
        try gardens.put(one)
        try gardens.put(other)
        #expect(try gardens.get(1)?.names == ["a": "other", "c": "new"])
        #expect(one.names == ["a": "other", "c": "new"])
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `a new map replaces nothing, an assigned map replaces all keys`() throws {
        let one = try garden(["a": "1", "b": "2"])
        let same = Garden("Eden")
        same.entityId = one.entityId
        try gardens.put(same)
        #expect(try gardens.get(1)?.names == ["a": "1", "b": "2"])
        let other = Garden("Other")
        other.plants = one.plants
        try gardens.put(other)
        #expect(try gardens.all().map(\.names) == [["a": "1", "b": "2"], ["a": "1", "b": "2"]])
        #expect(try plants.count() == 2)
        let plant: Plant = try #require(try plants.get(1))
        other.plants = ["c": plant]
        try gardens.put(other)
        #expect(try gardens.get(2)?.plants.ids == ["c": 1])
        #expect(try gardens.get(1)?.names == ["a": "1", "b": "2"])
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `a removed object leaves all maps, and a removed owner leaves its objects`() throws {
        let garden = try garden(["a": "1"])
        garden.plants["b"] = garden.plants["a"]
        garden.plants["c"] = Plant("2")
        try gardens.put(garden)
        let plant = try #require(try plants.get(1))
        #expect(plant.gardens.map(\.name) == ["Eden"])
        try plants.remove(1)
        #expect(try gardens.get(1)?.names == ["c": "2"])
        try gardens.remove(1)
        #expect(try plants.get(2)?.gardens.isEmpty == true)
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `a rolled back put keeps the changes of a map for the next put`() throws {
        struct Cancelled: Error {}
        let garden = try garden(["a": "1", "b": "2"])
        garden.plants["a"] = Plant("new")
        garden.plants["b"] = nil
        #expect(throws: Cancelled.self) {
            try store.write {
                try gardens.put(garden)
                throw Cancelled()
            }
        }
        #expect(try gardens.get(1)?.names == ["a": "1", "b": "2"])
        #expect(garden.names == ["a": "new"])
        try gardens.put(garden)
        #expect(try gardens.get(1)?.names == ["a": "new"])
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `several changes of one key in a transaction write the last one`() throws {
        let garden = try garden(["a": "1"])
        let log = RecordCounter(store.engine)
        let counts = try log.records {
            try store.write {
                for name in ["2", "3"] {
                    garden.plants["a"] = Plant(name)
                    try gardens.put(garden)
                    #expect(try gardens.get(1)?.names == ["a": name])
                }
                garden.plants["a"] = nil
                try gardens.put(garden)
                #expect(try gardens.get(1)?.names == [:])
                garden.plants["a"] = Plant("4")
                try gardens.put(garden)
            }
        }
        #expect(counts["link"] == 1 && counts["unlink"] == 1)
        #expect(try gardens.get(1)?.names == ["a": "4"])
        try store.engine.proveReplay()
        let again = try reopened()
        #expect(try again.box(for: Garden.self).get(1)?.names == ["a": "4"])
        try again.close()
    }

    @Test func `keys are changed and removed one by one`() throws {
        let garden = Garden("Eden")
        for number in 0..<2000 { garden.plants["\(number)"] = Plant("\(number)") }
        try gardens.put(garden)
        let found = try #require(try gardens.get(1))
        let rose = Plant("rose")
        for number in 0..<2000 {
            let key = "\(number)"
            #expect(found.plants[key]??.name == key)
            if number % 3 == 0 { found.plants[key] = rose }
            if number % 3 == 1 { found.plants[key] = nil }
        }
        #expect(found.plants.count == 1333 && found.plants["4"] == nil)
        try gardens.put(found)
        let names = try #require(try gardens.get(1)).names
        #expect(names.count == 1333 && names["3"] == "rose" && names["5"] == "5")
        #expect(try plants.count() == 2001)
        try store.close()
    }

    // MARK: Errors

    @Test func `bad keys are errors, and nothing is written`() throws {
        let garden = try garden(["a": "1"])
        let long = String(repeating: "k", count: 255)
        for key in ["a.b", "$a", long] {
            garden.plants[key] = Plant("new")
            let error = expectError(.invalidValue) { try gardens.put(garden) }
            #expect(error?.details["property"] == "plants")
            garden.plants[key] = nil
        }
        #expect(try gardens.get(1)?.names == ["a": "1"] && plants.count() == 1)
        garden.plants[String(long.dropLast())] = Plant("longest")
        garden.plants["end\0"] = Plant("zero")
        try gardens.put(garden)
        #expect(try gardens.get(1)?.plants["end\0"]??.name == "zero")
        #expect(try gardens.get(1)?.plants.count == 3)
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `adding to the backlink of a map is an error, and removing removes all keys`() throws
    {
        let garden = try garden(["a": "1"])
        garden.plants["b"] = garden.plants["a"]
        try gardens.put(garden)
        let plant = try #require(try plants.get(1))
        plant.keepers.append(Garden("new"))
        let error = expectError(.invalidArgument) { try plant.keepers.applyToDb() }
        #expect(error?.message.contains("Garden.plants is a map") == true)
        let again = try #require(try plants.get(1))
        again.keepers.removeAll()
        try again.keepers.applyToDb()
        #expect(try gardens.get(1)?.plants.isEmpty == true && gardens.count() == 1)
        try store.close()
    }

    @Test func `a map cannot become a list`() throws {
        try garden(["a": "1"]).plants.resolve()
        try store.close()
        let error = expectError(.schemaMismatch) {
            _ = try Store(directory: directory.url, entities: GardenWithList.self)
        }
        #expect(error?.message.contains("keyedObjects") == true)
        let again = try reopened()
        #expect(try again.box(for: Garden.self).get(1)?.names == ["a": "1"])
        try again.close()
    }

    @Test func `a map of a closed store is empty and reports the reason`() throws {
        let garden = try garden(["a": "1"])
        try store.close()
        #expect(garden.plants.isEmpty && garden.plants.failure?.code == .closed)
        expectError(.closed) { try garden.plants.resolve() }
        garden.plants["b"] = Plant("2")
        let again = try reopened()
        expectError(.closed) { try again.box().put(garden) }
        #expect(try again.box(for: Garden.self).get(1)?.names == ["a": "1"])
        try again.close()
    }

    // MARK: Queries

    @Test func `conditions on maps of objects test any, all and the number of objects`() throws {
        _ = try garden(["a": "rose", "b": "fig"])
        _ = try garden(["a": "fig"])
        _ = try garden([:])
        let ids = { (query: Query<Garden>) in try query.findIds().map(\.value) }
        #expect(try ids(gardens.query { $0.plants.name == "rose" }) == [1])
        #expect(try ids(gardens.query { $0.plants.any { $0.name == "fig" } }) == [1, 2])
        #expect(try ids(gardens.query { $0.plants.all { $0.name == "fig" } }) == [2, 3])
        #expect(try ids(gardens.query { $0.plants.count == 2 }) == [1])
        let fig = try plants.query { $0.gardens.name == "Eden" }.find()
        #expect(fig.count == 3)
        let all = try gardens.including(\.plants).all()
        #expect(all.allSatisfy(\.plants.resolved) && all[0].names == ["a": "rose", "b": "fig"])
        try store.close()
    }

    @Test func `objects are created with a map of objects by key`() throws {
        let garden = try store.create(
            Garden.self,
            value: ["name": "Eden", "plants": ["a": Plant("1"), "b": Plant?.none as Any]])
        #expect(garden.names == ["a": "1"])
        let error = expectError(.invalidArgument) {
            _ = try store.create(Garden.self, value: ["plants": [Plant("1")]])
        }
        #expect(error?.message.contains("dictionary") == true)
        try store.close()
    }

    @Test func `a description of a map reads nothing`() throws {
        let garden = try garden(["a": "1"])
        #expect(garden.plants.description.hasPrefix("Map<String, Plant>"))
        #expect(!garden.plants.resolved)
        #expect(Map<String, Plant?>(["a": Plant("1")]).description == #"["a": 0]"#)
        try store.close()
    }

    // MARK: Random changes

    @Test(arguments: Seeds.first(4))
    func `random changes of copies of a map agree with a dictionary`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let letters = ["a", "b", "c", "d", "é", "e\u{301}", ""]
        var store = store
        var expected: [String: String] = [:]
        try store.box(for: Garden.self).put(Garden("Eden"))
        var copies = [try #require(try store.box(for: Garden.self).get(1))]
        for round in 0..<120 {
            let gardens = store.box(for: Garden.self)
            let copy = copies.randomElement(using: &random)!
            copy.plants.reset()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let key = letters.randomElement(using: &random)!
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    copy.plants[key] = nil
                    expected[key] = nil
                case 1 where copy.plants[key] != nil:
                    let other = letters.randomElement(using: &random)!
                    copy.plants[other] = copy.plants[key]!
                    expected[other] = expected[key]
                default:
                    copy.plants[key] = Plant("\(round)")
                    expected[key] = "\(round)"
                }
            }
            #expect(copy.names == expected)
            try gardens.put(copy)
            #expect(try gardens.get(1)?.names == expected)
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                try store.close()
                store = try Store(directory: directory.url, entities: Garden.self)
                copies = [try #require(try store.box(for: Garden.self).get(1))]
            case 1: try store.compact(keeping: .latest)
            case 2: copies.append(try #require(try gardens.get(1)))
            case 3:
                let old = expected
                copy.plants["a"] = Plant("undone")
                try gardens.put(copy)
                _ = try store.undo(.commit(store.engine.visibleSequence))
                #expect(try gardens.get(1)?.names == old)
            default: break
            }
        }
        try store.engine.proveReplay()
        try store.close()
    }
}
