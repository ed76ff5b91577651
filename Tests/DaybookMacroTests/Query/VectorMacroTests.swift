#if Macros
import Daybook
import Testing

@Entity private final class City {
    var id: Id = 0
    var name = ""
    @Vector(dimensions: 2, metric: .cosine, neighborsPerNode: 8) var direction: [Float] = []

    init(_ name: String, _ direction: [Float]) {
        self.name = name
        self.direction = direction
    }
}

@Suite struct VectorMacroTests {
    private let directory = TemporaryDirectory()

    @Test func `a declared vector index finds the nearest objects`() throws {
        let store = try Store(directory: directory.url, entities: City.self)
        let box = store.box(for: City.self)
        try box.put([City("north", [0, 9]), City("east", [2, 0]), City("nowhere", [])])
        let found = try box.query { $0.direction.nearest(to: [1, 8], count: 5) }.find()
        #expect(found.map(\.name) == ["north", "east"])
        let long = #expect(throws: DaybookError.self) { try box.put(City("up", [1, 2, 3])) }
        let zero = #expect(throws: DaybookError.self) { try box.put(City("zero", [0, 0])) }
        #expect(long?.code == .invalidValue && zero?.code == .invalidValue)
        try store.close()
    }
}
#endif
