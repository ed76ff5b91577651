package import DaybookBytes

/// The vectors of a nearest-neighbour index, and the parameters of its graph.
package struct VectorForm: Sendable, Hashable {
    /// The number of numbers of each vector.
    package var dimensions: Int
    package var metric: VectorMetric
    /// The number of links that a new vector gets in each layer (M); the lowest layer allows twice
    /// as many.
    package var neighborCount: Int
    /// The number of candidates for these links (efConstruction).
    package var searchCount: Int

    /// The ranges of the numbers.
    package static let dimensionsMax = 4096
    package static let neighborCounts = 2...256
    package static let searchCounts = 1...4096

    package init(
        dimensions: Int, metric: VectorMetric, neighborCount: Int = 16, searchCount: Int = 128
    ) {
        self.dimensions = dimensions
        self.metric = metric
        self.neighborCount = neighborCount
        self.searchCount = searchCount
    }

    /// The number of numbers of each vector in the index.
    var storedDimensions: Int { metric == .geo ? 3 : dimensions }

    /// Why the numbers are not allowed; nil if they are.
    package var problem: String? {
        if metric == .geo, dimensions != 2 {
            return "has \(dimensions) dimensions; places on the Earth have 2, the latitude and the"
                + " longitude"
        }
        if !(1...Self.dimensionsMax).contains(dimensions) {
            return "has \(dimensions) dimensions; allowed are 1 to \(Self.dimensionsMax)"
        }
        if !Self.neighborCounts.contains(neighborCount) {
            return "has \(neighborCount) neighbours for each vector; allowed are 2 to 256"
        }
        if !Self.searchCounts.contains(searchCount) {
            return "compares \(searchCount) candidates for the neighbours of a vector; allowed are"
                + " 1 to 4096"
        }
        return nil
    }

    init(from reader: inout ByteReader) throws(DaybookError) {
        let metricNumber = try reader.uint8()
        guard let metric = VectorMetric(rawValue: metricNumber) else {
            throw DaybookError(
                .formatTooNew,
                "A vector index has a distance of a newer release; open the store with that.",
                details: ["metric": "\(metricNumber)"])
        }
        self.metric = metric
        dimensions = try reader.length()
        neighborCount = try reader.length()
        searchCount = try reader.length()
        if let problem {
            throw DaybookError(
                .corruption,
                "An index is damaged: it \(problem). Restore the store from a backup.")
        }
    }

    func encode(to writer: inout ByteWriter) {
        writer.uint8(metric.rawValue)
        writer.varint(UInt64(dimensions))
        writer.varint(UInt64(neighborCount))
        writer.varint(UInt64(searchCount))
    }

    /// The vector as the index contains it: under ``VectorMetric/cosine`` with length 1; under
    /// ``VectorMetric/geo`` the place on a sphere with radius 1, whose distances through the sphere
    /// have the same order as those on its surface. Nil if it cannot be in the index: see
    /// ``problem(of:)``.
    package func stored(_ numbers: [Float]) -> [Float]? {
        guard problem(of: numbers) == nil else { return nil }
        switch metric {
        case .euclidean, .dotProduct: return numbers
        case .cosine:
            var sum = 0.0
            for number in numbers { sum += Double(number) * Double(number) }
            let length = sum.squareRoot()
            return numbers.map { Float(Double($0) / length) }
        case .geo: return GeoVector.onSphere(latitude: numbers[0], longitude: numbers[1])
        }
    }

    /// The distance that a user sees, of a distance in the index.
    package func shown(_ distance: Float) -> Double {
        switch metric {
        case .euclidean: Double(distance).squareRoot()
        case .cosine, .dotProduct: Double(distance)
        case .geo: GeoVector.kilometers(ofSquaredChord: distance)
        }
    }

    /// Why a vector cannot be in the index, as the rest of a sentence; nil if it can.
    package func problem(of numbers: [Float]) -> VectorProblem? {
        guard numbers.count == dimensions else {
            return VectorProblem(
                expected: "\(dimensions) dimensions", actual: "\(numbers.count)",
                text: "has \(numbers.count) dimensions, and the index has \(dimensions)")
        }
        if let place = numbers.firstIndex(where: { !$0.isFinite }) {
            return VectorProblem(
                expected: "finite numbers", actual: "\(numbers[place])",
                text: "contains \(numbers[place]) at place \(place), which has no distance")
        }
        if metric == .geo, abs(numbers[0]) > 90 {
            return VectorProblem(
                expected: "a latitude from -90 to 90", actual: "\(numbers[0])",
                text: "has the latitude \(numbers[0]); the latitude comes first and is from -90 to"
                    + " 90")
        }
        if metric == .cosine, numbers.allSatisfy({ $0 == 0 }) {
            return VectorProblem(
                expected: "a vector with a direction", actual: "zeros",
                text: "contains only zeros, and a cosine needs a direction")
        }
        return nil
    }
}

/// Why a vector cannot be in an index.
package struct VectorProblem: Sendable, Equatable {
    package var expected: String
    package var actual: String
    /// The rest of a sentence that begins with the vector.
    package var text: String

    /// The typed error for a vector of that property.
    package func error(_ property: String, of entity: String, isQuery: Bool) -> DaybookError {
        DaybookError(
            isQuery ? .invalidArgument : .invalidValue,
            (isQuery
                ? "The searched vector of \(entity).\(property) \(text)."
                : "The vector in \(entity).\(property) \(text).")
                + " Use a vector like those of the index, or none.",
            details: [
                "entity": entity, "property": property, "expected": expected, "actual": actual,
            ])
    }
}
