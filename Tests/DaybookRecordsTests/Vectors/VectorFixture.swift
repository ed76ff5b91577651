import DaybookBytes
import DaybookPages
@testable import DaybookRecords
import DaybookTesting

/// A vector index in a space of its own, and the same vectors in a dictionary.
final class VectorFixture {
    static let index: UInt32 = 5
    let space = PageSpace()
    let form: VectorForm
    var vectors: [UInt64: [Float]] = [:]
    var random: SeededGenerator
    private let centers: [[Float]]

    init(_ form: VectorForm, seed: UInt64, clusterCount: Int = 20) {
        self.form = form
        var random = SeededGenerator(seed: seed)
        centers = (0..<clusterCount).map { _ in
            (0..<form.dimensions).map { _ in Float.random(in: -4...4, using: &random) }
        }
        self.random = random
        space.begin(sequence: 1)
    }

    /// A vector near one of the centers.
    func randomVector() -> [Float] {
        let center = centers[Int.random(in: 0..<centers.count, using: &random)]
        return center.map { $0 + Float.random(in: -1...1, using: &random) }
    }

    var graph: VectorGraph { VectorGraph(writing: space, index: Self.index, form) }

    /// Replaces the vector of an object; nil removes it.
    func set(_ id: UInt64, _ vector: [Float]?) throws {
        var graph = graph
        try graph.remove(id, in: space)
        vectors[id] = vector.flatMap { form.stored($0) }
        guard let stored = vectors[id] else { return }
        try graph.insert(id, stored.littleEndianBytes.span, in: space)
    }

    func exact(_ query: [Float], count: Int) -> [UInt64] {
        let query = PaddedVector(query)
        var nearest = NearestNeighbors(count: count)
        for (id, vector) in vectors {
            let distance = query.distance(form.metric, to: PaddedVector(vector))
            nearest.add(VectorNeighbor(id: id, distance: distance))
        }
        return nearest.sorted().map(\.id)
    }

    /// The share of the exactly nearest ten objects that searches find.
    func recall(queryCount: Int, width: Int) throws -> Double {
        var (found, wanted) = (0, 0)
        for _ in 0..<queryCount {
            let query = form.stored(randomVector()) ?? []
            let exact = Set(exact(query, count: 10))
            var graph = graph
            let ids = try graph.search(query, count: 10, width: width).map(\.id)
            found += exact.intersection(ids).count
            wanted += exact.count
        }
        return Double(found) / Double(max(wanted, 1))
    }

    func check() throws -> VectorCheck {
        try VectorCheck(space.working, index: Self.index, form)
    }
}
