import Daybook
import DaybookObjectBox
import DaybookTestSupport
import DaybookTesting
import Foundation
import Testing

/// Nearest neighbours through the public API, compared with a comparison of all objects. A failure
/// prints its seed.
@Suite struct VectorStoreTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        return try Store(directory: directory.url, entities: Spot.self, options: options)
    }

    private static func nearest(
        _ vector: [Float], _ count: Int, among objects: some Sequence<Spot>
    ) -> [Double] {
        Array(objects.compactMap { $0.distance(to: vector) }.sorted().prefix(count))
    }

    private static func check(
        _ all: Query<Spot>, _ objects: [Id: Spot], _ generator: inout SeededGenerator,
        _ note: Comment
    ) throws {
        let vector = Spot.vector(&generator)
        let found = try all.and(Spot.position.nearest(to: vector, count: 7)).findWithDistances()
        let expected = nearest(vector, 7, among: objects.values)
        #expect(found.count == expected.count, note)
        #expect(zip(found, expected).allSatisfy { abs($0.distance - $1) < 1e-4 }, note)
        #expect(found.allSatisfy { objects[$0.object.id] == $0.object }, note)
        let ids = try all.and(Spot.position.nearest(to: vector, count: 7)).findIdsWithDistances()
        #expect(ids.map(\.id.value) == found.map(\.object.id), note)
        #expect(ids.map(\.distance) == found.map(\.distance), note)
        let some = all.and(Spot.group < 20 && Spot.position.nearest(to: vector, count: 5))
        let filtered = try some.findIdsWithDistances()
        let those = nearest(vector, 5, among: objects.values.filter { $0.group < 20 })
        #expect(filtered.count == those.count, note)
        #expect(zip(filtered, those).allSatisfy { abs($0.distance - $1) < 1e-4 }, note)
        #expect(try some.count() == those.count, note)
        let sorted = try some.ordered(by: \.group).limit(3).find().map(\.group)
        #expect(sorted == sorted.sorted() && sorted.count == min(3, those.count), note)
    }

    @Test(arguments: Seeds.first(4))
    func `the nearest objects are found in every version`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var store = try open()
        var objects: [Id: Spot] = [:]
        var past: [(sequence: UInt64, objects: [Id: Spot])] = []
        for round in 0..<12 {
            let box = store.box(for: Spot.self)
            let before = objects
            let isUndone = Int.random(in: 0..<4, using: &generator) == 0
            try? store.write {
                for _ in 0..<Int.random(in: 1...14, using: &generator) {
                    let id = objects.keys.sorted().randomElement(using: &generator)
                    if let id, Int.random(in: 0..<4, using: &generator) == 0 {
                        try box.remove(id)
                        objects[id] = nil
                        continue
                    }
                    let isNew = Bool.random(using: &generator)
                    var spot = Spot.random(&generator, id: isNew ? 0 : id ?? 0)
                    spot.id = try box.put(spot)
                    objects[spot.id] = spot
                }
                try Self.check(
                    box.query(), objects, &generator, "seed \(seed), uncommitted in \(round)")
                if isUndone { throw CancellationError() }
            }
            if isUndone { objects = before }
            try Self.check(box.query(), objects, &generator, "seed \(seed), round \(round)")
            past.append((try store.sequence, objects))
            if let (sequence, objects) = past.randomElement(using: &generator) {
                let view = try store.view(at: .sequence(sequence))
                try Self.check(
                    view.box(for: Spot.self).query(), objects, &generator, "seed \(seed), past")
            }
            if round % 4 == 3 {
                #expect(try store.verify().severity == nil, "seed \(seed), round \(round)")
                store.close()
                store = try open()
            }
            if round == 6 {
                try store.compact(keeping: .latest)
                past = []
            }
        }
        try store.box(for: Spot.self).removeAll()
        try Self.check(store.box(for: Spot.self).query(), [:], &generator, "seed \(seed), empty")
        #expect(try store.verify().severity == nil)
        store.close()
    }

    @Test func `an index of existing objects is built, searched by its graph, and dropped`() throws
    {
        var generator = SeededGenerator(seed: 5)
        var objects: [Spot] = []
        for id in 1...2400 as ClosedRange<UInt64> {
            objects.append(Spot.random(&generator, id: Id(id)))
        }
        let plain = try Store(directory: directory.url, entities: PlainSpot.self)
        try plain.box(for: PlainSpot.self).put(
            objects.map { PlainSpot(group: $0.group, position: $0.position) })
        let error = #expect(throws: DaybookError.self) {
            try plain.box(for: PlainSpot.self)
                .query(PlainSpot.position.nearest(to: [1, 2, 3], count: 1)).find()
        }
        #expect(error?.code == .invalidArgument && error?.details["property"] == "position")
        plain.close()
        // The index is built in the background.
        let store = try Store(directory: directory.url, entities: Spot.self)
        let box = store.box(for: Spot.self)
        func text(_ condition: Condition<Spot>) throws -> String {
            try box.query(condition).explain().description
        }
        func isGraph() throws -> Bool {
            try text(Spot.position.nearest(to: [0, 0, 0], count: 5)).contains("graph")
        }
        while try !isGraph() { Thread.sleep(forTimeInterval: 0.01) }
        #expect(
            try text(Spot.position.nearest(to: [0, 0, 0], count: 5))
                == "nearest 5 by euclidean Spot.position, graph")
        #expect(
            try text(Spot.position.nearest(to: [0, 0, 0], count: 5) && Spot.group == 3)
                .hasPrefix("nearest 5 by euclidean Spot.position, exact"))
        var (found, wanted) = (0, 0)
        for isFiltered in [false, true] {
            for _ in 0..<20 {
                let vector = Spot.vector(&generator)
                var condition = Spot.position.nearest(to: vector, count: 10)
                if isFiltered { condition = Spot.group != 3 && condition }
                let distances = try box.query(condition).findIdsWithDistances().map(\.distance)
                let exact = Self.nearest(
                    vector, 10, among: objects.filter { !isFiltered || $0.group != 3 })
                #expect(distances == distances.sorted() && distances.count == 10)
                found += distances.filter { $0 <= (exact.last ?? 0) + 1e-4 }.count
                wanted += 10
            }
        }
        #expect(Double(found) >= 0.95 * Double(wanted))
        #expect(try store.verify().severity == nil)
        store.close()
        let dropped = try Store(directory: directory.url, entities: PlainSpot.self)
        #expect(try dropped.verify().severity == nil)
        dropped.close()
    }

    @Test func `vectors of texts are found after a reopening, a compaction and in the past`() throws
    {
        var generator = SeededGenerator(seed: 6)
        func vector() -> [Float] {
            (0..<768).map { _ in Float.random(in: -1...1, using: &generator) }
        }
        func open() throws -> Store {
            var options = StoreOptions()
            options.isMaintenanceAutomatic = false
            return try Store(directory: directory.url, entities: Passage.self, options: options)
        }
        var store = try open()
        var vectors = (0..<60).map { _ in vector() }
        try store.box(for: Passage.self).put(vectors.map { Passage(embedding: $0) })
        let before = (sequence: try store.sequence, vectors: vectors)
        for index in 0..<20 {
            vectors[index] = vector()
            try store.box(for: Passage.self).put(
                Passage(id: Id(index + 1), embedding: vectors[index]))
        }
        func check(_ all: Query<Passage>, _ vectors: [[Float]]) throws {
            for (index, vector) in vectors.enumerated() where index % 7 == 0 {
                let found = try all.and(Passage.embedding.nearest(to: vector, count: 1)).find()
                #expect(found == [Passage(id: Id(index + 1), embedding: vector)])
            }
        }
        try check(store.box(for: Passage.self).query(), vectors)
        let view = try store.view(at: .sequence(before.sequence))
        try check(view.box(for: Passage.self).query(), before.vectors)
        store.close()
        store = try open()
        try check(store.box(for: Passage.self).query(), vectors)
        try store.compact(keeping: .latest)
        try check(store.box(for: Passage.self).query(), vectors)
        #expect(try store.verify().severity == nil)
        store.close()
    }

    @Test func `unsuitable vectors are refused with their property`() throws {
        let store = try open()
        let box = store.box(for: Spot.self)
        for vector in [[1, 2], [1, 2, 3, 4], [1, .nan, 3], [1, 2, -.infinity]] as [[Float]] {
            let error = #expect(throws: DaybookError.self) {
                try box.put(Spot(position: vector))
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.details["property"] == "position")
            #expect(error?.details["expected"] != nil && error?.details["actual"] != nil)
            let query = box.query(Spot.position.nearest(to: vector, count: 3))
            let second = #expect(throws: DaybookError.self) { try query.find() }
            #expect(second?.code == .invalidArgument && second?.details["property"] == "position")
        }
        let kept = try box.put(Spot(position: []))
        let none = try box.put(Spot(position: nil))
        #expect(try box.get(kept)?.position == [] && box.get(none)?.position == nil)
        #expect(try box.query(Spot.position.nearest(to: [0, 0, 0], count: 3)).find().isEmpty)
        let negative = #expect(throws: DaybookError.self) {
            try box.query(Spot.position.nearest(to: [0, 0, 0], count: -1)).find()
        }
        #expect(negative?.code == .invalidArgument)
        store.close()
    }

    @Test func `a search is a part of the conjunction, once`() throws {
        let store = try open()
        let box = store.box(for: Spot.self)
        try box.put([Spot(group: 1, position: [1, 0, 0]), Spot(group: 2, position: [2, 0, 0])])
        let search = Spot.position.nearest(to: [0, 0, 0], count: 1)
        for wrong in [!search, search || Spot.group == 1, search && search] {
            let error = #expect(throws: DaybookError.self) { try box.query(wrong).find() }
            #expect(error?.code == .invalidArgument)
        }
        #expect(try box.query(search && Spot.group == 2).find().map(\.group) == [2])
        #expect(try box.query(search.named("place")).find().map(\.group) == [1])
        let distanceless = #expect(throws: DaybookError.self) {
            try box.query(Spot.group == 1).findIdsWithDistances()
        }
        #expect(distanceless?.code == .invalidArgument)
        let two = Spot.position.nearest(to: [9, 0, 0], count: 2)
        #expect(try box.query(two).offset(1).find().map(\.group) == [1])
        #expect(try box.query(two).findFirst()?.group == 2)
        #expect(try box.query(two).ordered(by: \.group).find().map(\.group) == [1, 2])
        #expect(try box.query(two).property(\.group).max() == 2)
        #expect(try box.query(search).property(\.group).max() == 1)
        let page = box.query(two)
        let pageless = #expect(throws: DaybookError.self) { try page.page(limit: 1) }
        #expect(pageless?.code == .invalidArgument)
        store.close()
    }

    @Test func `ObjectBox spellings find the same objects`() async throws {
        let store = try open()
        let box = store.box(for: Spot.self)
        try await box.put([Spot(position: [3, 4, 0]), Spot(position: [0, 0, 1])])
        let query = try box.query {
            $0.position.nearestNeighbors(queryVector: [0, 0, 0], maxCount: 2)
        }.build()
        #expect(try await query.findWithScores().map(\.score) == [1, 5])
        #expect(try await query.findIdsWithScores().map(\.id.value) == [2, 1])
        #expect(try await query.findWithDistances().map(\.distance) == [1, 5])
        #expect(try await query.findIdsWithDistances().map(\.id.value) == [2, 1])
        try await store.close()
    }

    @Test func `the nearest places on the Earth are found with their distances`() throws {
        let store = try Store(directory: directory.url, entities: City.self)
        let cities = store.box(for: City.self)
        try cities.put([
            City(name: "Suva", place: [-18.1416, 178.4419]), City(name: "Nowhere"),
            City(name: "Oslo", place: [59.9, 10.7]),
            City(name: "Apia", place: [-13.8333, -171.7667]),
        ])
        // Taveuni lies beside the date line.
        let nearest = City.place.nearest(to: [-16.8, -179.9], count: 2)
        let found = try cities.query(nearest).findWithDistances()
        #expect(found.map(\.object.name) == ["Suva", "Apia"])
        #expect(abs((found.first?.distance ?? 0) - 230) < 1)
        let error = expectError(.invalidValue) {
            _ = try cities.put(City(name: "Beyond", place: [100, 0]))
        }
        #expect(error?.details["expected"] == "a latitude from -90 to 90")
        #expect(try cities.query(nearest).explain().description.contains("by geo City.place"))
        store.close()
        var options = StoreOptions()
        options.isReadOnly = true
        let reader = try Store(directory: directory.url, entities: City.self, options: options)
        let read = try reader.box(for: City.self).query(nearest).find()
        #expect(read.map(\.name) == ["Suva", "Apia"])
        reader.close()
    }

    @Test func `offset and limit apply to results with scores`() throws {
        let store = try open()
        let box = store.box(for: Spot.self)
        try box.put([
            Spot(position: [3, 4, 0]), Spot(position: [0, 0, 1]), Spot(position: [2, 0, 0]),
        ])
        let query = try box.query {
            $0.position.nearestNeighbors(queryVector: [0, 0, 0], maxCount: 3)
        }.build()
        let ids: [Id] = try query.findIdsWithScores().map(\.id)
        #expect(ids == [2, 3, 1])
        #expect(try query.findIdsWithScores(offset: 1).map(\.score) == [2, 5])
        #expect(try query.findIdsWithScores(offset: 1, limit: 1).map(\.id) == [3])
        #expect(try query.findWithScores(limit: 2).map(\.score) == [1, 2])
        #expect(try query.findWithScores(offset: 3).isEmpty)
        store.close()
    }

    @Test func `a search with distances is reported like other queries`() throws {
        let recorder = EventRecorder()
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.observers = [recorder.observer(isMeasuring: true)]
        let store = try Store(directory: directory.url, entities: Spot.self, options: options)
        let box = store.box(for: Spot.self)
        try box.put([Spot(position: [1, 0, 0]), Spot(position: [5, 0, 0]), Spot(group: 1)])
        let query = box.query(Spot.position.nearest(to: [0, 0, 0], count: 2))
        #expect(try query.findWithDistances().map(\.distance) == [1, 5])
        #expect(try query.findIdsWithScores().map(\.score) == [1, 5])
        store.close()
        let reported = recorder.events("queried").map { $0.details["rowsReturned"] }
        #expect(reported == ["2", "2"])
    }

    @Test func `a live query follows vectors and conditions`() async throws {
        let store = try open()
        let box = store.box(for: Spot.self)
        try await box.put([
            Spot(group: 1, position: [1, 0, 0]), Spot(group: 1, position: [5, 0, 0]),
        ])
        let query = box.query(
            Spot.group == 1 && Spot.position.nearest(to: [0, 0, 0], count: 1))
        var updates = query.updates().makeAsyncIterator()
        #expect(try await updates.next()?.objects.map(\.id) == [1])
        try await box.put(Spot(id: 1, group: 1, position: [9, 0, 0]))
        #expect(try await updates.next()?.objects.map(\.id) == [2])
        try await box.put(Spot(id: 2, group: 2, position: [5, 0, 0]))
        #expect(try await updates.next()?.objects.map(\.id) == [1])
        try await box.put(Spot(group: 1, position: [0, 0, 0]))
        #expect(try await updates.next()?.objects.map(\.id) == [3])
        try await store.close()
    }
}
