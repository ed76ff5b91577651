@testable import Daybook
import DaybookBytes
import DaybookTestSupport
import Foundation
import Testing

@Suite struct ProjectionTests {
    private let store: Store
    private let boats: Box<Boat>
    private let summaries: Projections<BoatSummary>

    init() throws {
        store = try Store(
            directoryPath: "memory:\(UUID())", entities: Boat.self)
        boats = store.box(for: Boat.self)
        summaries = boats.projections(BoatSummary.self)
    }

    private func boat(_ name: String) -> Boat {
        Boat(
            name: name, rig: .ketch, home: Harbour(city: "Nantes", berths: 3),
            first: Harbour(city: "Brest"), harbours: [Harbour(city: "Vannes"), Harbour(city: "")],
            built: Date(timeIntervalSinceReferenceDate: 1.000_000_007), code: "abc")
    }

    @Test func `a projection reads its own fields and no others`() throws {
        var sealed = boat("Alma")
        sealed.seal = Untouchable()
        try boats.put(sealed)
        #expect(throws: Refusal(number: 7)) { try boats.get(1) }
        let found = try #require(try summaries.get(1))
        #expect(found.id == 1 && found.name == "Alma" && found.sameName == "Alma")
        #expect(found.caps == "ALMA" && found.rig == .ketch && found.homeCity == "Nantes")
        #expect(found.firstCity == "Brest" && found.cities == ["Vannes", ""])
        #expect(abs(found.built.timeIntervalSinceReferenceDate - 1.000_000_007) < 1e-9)
        // These need the whole object and report that.
        let whole = boats.projections(BoatWhole.self)
        #expect(throws: Refusal(number: 7)) { try whole.get(1) }
        try store.close()
    }

    @Test func `computed and converted properties of a projection equal those of the object`()
        throws
    {
        try boats.put(boat("Alma"))
        let whole = boats.projections(BoatWhole.self)
        #expect(try whole.get(1) == BoatWhole(title: "Alma!", code: "abc"))
        try whole.update(1) { $0.code = "xyz" }
        #expect(try boats.get(1)?.code == "xyz")
        try store.close()
    }

    @Test func `a box gets, lists, visits and counts projections`() throws {
        #expect(try summaries.get(1) == nil && summaries.all() == [] && summaries.count() == 0)
        try boats.put(["A", "B", "C"].map(boat))
        #expect(try summaries.all().map(\.name) == ["A", "B", "C"])
        #expect(try summaries.count() == 3)
        var names: [String] = []
        #expect(throws: Refusal()) {
            try summaries.forEach {
                names.append($0.name)
                if names.count == 2 { throw Refusal() }
            }
        }
        #expect(names == ["A", "B"])
        try boats.remove(2)
        #expect(try summaries.all().map(\.id) == [1, 3])
        try store.close()
    }

    @Test func `async callers get the same projections`() async throws {
        try await boats.put((0..<600).map { boat("\($0)") })
        #expect(try await summaries.get(600)?.name == "599")
        #expect(try await summaries.get(601) == nil)
        #expect(try await summaries.all().map(\.id) == Array(1...600))
        #expect(try await summaries.count() == 600)
        let length = try await summaries.update(7) { summary in
            summary.name = "seven"
            return summary.name.count
        }
        #expect(length == 5)
        #expect(try await boats.get(7)?.name == "seven")
        try await store.close()
    }

    @Test func `an update writes changed properties and keeps the rest of the object`()
        throws
    {
        let before = boat("Alma")
        try boats.put(before)
        try summaries.update(1) { summary in
            summary.name = "Nora"
            summary.rig = .sloop
            summary.firstCity = "Lorient"
        }
        let after = try #require(try boats.get(1))
        #expect(after.name == "Nora" && after.rig == .sloop)
        #expect(after.first == Harbour(city: "Lorient") && after.home == before.home)
        #expect(after.harbours == before.harbours && after.code == "abc")
        try store.close()
    }

    @Test func `of two properties for the same field, the changed one is written`()
        throws
    {
        try boats.put(boat("Alma"))
        try summaries.update(1) { $0.name = "one" }
        #expect(try boats.get(1)?.name == "one")
        try summaries.update(1) { $0.sameName = "other" }
        #expect(try boats.get(1)?.name == "other")
        try store.close()
    }

    @Test func `a change that cannot be written back is refused by name, and nothing is changed`()
        throws
    {
        try boats.put(boat("Alma"))
        let changes: [(String, @Sendable (inout BoatSummary) -> Void)] = [
            ("caps", { $0.caps = "X" }), ("homeCity", { $0.homeCity = "X" }),
            ("homeCity", { $0.homeCity = nil }), ("cities", { $0.cities = [] }),
        ]
        let sequence = try store.sequence
        for (name, change) in changes {
            let error = expectError(.invalidArgument) {
                try summaries.update(1) { summary in
                    summary.name = "changed"
                    change(&summary)
                }
            }
            #expect(error?.details["property"] == name)
        }
        #expect(try store.sequence == sequence)
        #expect(try boats.get(1)?.name == "Alma")
        try store.close()
    }

    @Test func `an update that throws may be caught, and its transaction continues`() throws {
        try boats.put(boat("Alma"))
        expectError(.notFound) { try summaries.update(9) { _ in } }
        var caught: [any Error] = []
        try store.write {
            try boats.put(boat("Nora"))
            do { try summaries.update(9) { _ in } } catch { caught.append(error) }
            do { try summaries.update(1, removeSecondAndThrow) } catch { caught.append(error) }
            try summaries.update(2) { $0.name = "Dora" }
        }
        #expect(caught.count == 2 && caught.first is DaybookError && caught.last is Refusal)
        #expect(try boats.all().map(\.name) == ["Alma", "Dora"])
        try store.close()
    }

    private func removeSecondAndThrow(_ summary: inout BoatSummary) throws {
        try boats.remove(2)
        throw Refusal()
    }

    @Test func `an unknown raw value is projected like in the object`() throws {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: Boat.self)
        try store.box(for: Boat.self).put(boat("Alma"))
        let binding = try store.box(for: Boat.self).binding()
        let row = try #require(try store.engine.row(binding.entity, 1))
        var bytes = row.bytes.array
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "ketch".utf8) })
        bytes[place] = UInt8(ascii: "Z")
        let forged = bytes
        try store.engine.write { transaction in
            try transaction.changes.put(
                binding.entity, 1, layout: binding.layoutID, row: forged.span)
        }
        try store.close()
        store = try Store(directory: directory.url, entities: Boat.self)
        #expect(try store.box(for: Boat.self).get(1)?.rig == .ketch)
        let projections = store.box(for: Boat.self).projections(BoatSummary.self)
        #expect(try projections.get(1)?.rig == .ketch)
        try store.close()
    }

    @Test func `a projection of an object older than a property has the default value`() throws {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: EarlyBoat.self)
        try store.box(for: EarlyBoat.self).put(EarlyBoat(name: "Alma"))
        try store.close()
        store = try Store(directory: directory.url, entities: Boat.self)
        let box = store.box(for: Boat.self)
        let whole = try #require(try box.get(1))
        let found = try #require(try box.projections(BoatSummary.self).get(1))
        #expect(found.name == "Alma" && whole.name == "Alma")
        #expect(found.rig == whole.rig && found.rig == .ketch)
        #expect(found.homeCity == nil && found.firstCity == "" && found.cities == [])
        #expect(found.built == whole.built)
        try box.projections(BoatSummary.self).update(1) { $0.firstCity = "Brest" }
        #expect(try box.get(1)?.first.city == "Brest")
        try store.close()
    }

    @Test func `unassigned projected values are equal, and unassigned optionals are nil`() {
        var one = Projected(\Boat.name)
        let other = Projected(\Boat.name)
        #expect(one == other)
        one.wrappedValue = "x"
        #expect(one != other && one.wrappedValue == "x" && one.hashValue != other.hashValue)
        #expect(Projected(\Boat.home).wrappedValue == nil)
        #expect(Projected(wrappedValue: "y", \Boat.name).wrappedValue == "y")
    }
}
