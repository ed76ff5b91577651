import Daybook
import Foundation

/// An object with a vector of 100 dimensions.
struct VectorItem: Entity {
    var id: Id = 0
    var vector: [Float] = []

    static let entityDescription = EntityDescription(
        "VectorItem",
        [.property("vector", [Float].self, .vector(dimensions: 100, metric: .cosine))])
    static func decode(_ row: borrowing RowReader) throws -> VectorItem {
        VectorItem(id: row.id, vector: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(vector, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var vector: Property<VectorItem, [Float]> { Property("vector") }
}

/// `benchmark vectors --dir DIRECTORY`: nearest neighbours among the vectors that `vectors.py` has
/// written to the directory.
struct VectorTimes {
    private static let dimensions = 100
    private static let neighborCount = 10
    private static let repetitionCount = 5

    let directory: String

    func run() throws {
        let vectors = try floats("base.f32")
        let queries = try floats("queries.f32")
        let truth = try Data(contentsOf: URL(fileURLWithPath: directory + "/truth.i32"))
        let path = directory + "/daybook"
        try? FileManager.default.removeItem(atPath: path)
        var store = try open(path)
        let before = ProcessMemory.anonymousMebibytes
        var building = Stopwatch()
        try building.time {
            for first in stride(from: 0, to: vectors.count, by: 1_000) {
                let part = vectors[first..<min(first + 1_000, vectors.count)]
                try store.box(for: VectorItem.self).put(part.map { VectorItem(vector: $0) })
            }
        }
        var best = 0.0
        var hits = 0
        for _ in 0..<Self.repetitionCount {
            var searching = Stopwatch()
            hits = 0
            try searching.time {
                for (place, query) in queries.enumerated() {
                    let found = try store.box(for: VectorItem.self).query(
                        VectorItem.vector.nearest(to: query, count: Self.neighborCount)
                    ).findIdsWithDistances()
                    let wanted = Self.ids(truth, place)
                    hits += found.count { wanted.contains($0.id.value) }
                }
            }
            best = max(best, Double(queries.count) / searching.wallSeconds)
        }
        let memory = ProcessMemory.anonymousMebibytes - before
        try store.close()
        let disk = DiskUsage.mebibytes(of: path)
        let recall = Double(hits) / Double(queries.count * Self.neighborCount)
        Output.line(
            "| Daybook | \(String(format: "%.3f | %.0f", recall, best))"
                + " | \(String(format: "%.1f s | %.0f MiB", building.wallSeconds, memory))"
                + " | \(String(format: "%.0f MiB", disk)) |")
        store = try open(path)
        var first = Stopwatch()
        let query = VectorItem.vector.nearest(to: queries[0], count: Self.neighborCount)
        _ = try first.time {
            try store.box(for: VectorItem.self).query(query).findIdsWithDistances()
        }
        Output.line(
            "Daybook's first search after an opening:"
                + " \(String(format: "%.1f", first.wallSeconds * 1e3)) ms")
        try store.close()
    }

    private func open(_ path: String) throws -> Store {
        try Store(directoryPath: path, entities: VectorItem.self, options: .measured)
    }

    private func floats(_ name: String) throws -> [[Float]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)"))
        let count = data.count / 4 / Self.dimensions
        return (0..<count).map { row in
            (0..<Self.dimensions).map { column in
                Float(bitPattern: Self.word(data, row * Self.dimensions + column))
            }
        }
    }

    /// The ids of the nearest vectors: objects count from 1 in the order of the file.
    private static func ids(_ truth: Data, _ query: Int) -> Set<UInt64> {
        Set((0..<neighborCount).map { UInt64(word(truth, query * neighborCount + $0)) + 1 })
    }

    private static func word(_ data: Data, _ place: Int) -> UInt32 {
        var word: UInt32 = 0
        for byte in (0..<4).reversed() { word = word << 8 | UInt32(data[place * 4 + byte]) }
        return word
    }
}
