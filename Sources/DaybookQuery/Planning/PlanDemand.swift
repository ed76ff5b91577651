/// The results that a caller needs from a path, and thus the total cost of the path.
struct PlanDemand {
    private let reads: QueryReads
    /// Whether the rows of all matches are read, to sort them or to find distinct ones.
    private let looksAtAll: Bool
    /// The number of matches that suffice, if the first ones by id do.
    private let enough: Int?
    private let limit: Int?

    /// The ids of all matches.
    static let allIds = PlanDemand(reads: .ids, looksAtAll: false, enough: nil, limit: nil)

    private init(reads: QueryReads, looksAtAll: Bool, enough: Int?, limit: Int?) {
        self.reads = reads
        self.looksAtAll = looksAtAll
        self.enough = enough
        self.limit = limit
    }

    init(_ query: QueryRunner, _ reads: QueryReads) {
        let isInOrder = reads == .count || query.isInOrderOfIds
        self.init(
            reads: reads, looksAtAll: !isInOrder || !query.distinct.isEmpty,
            enough: isInOrder && query.distinct.isEmpty ? query.needed : nil, limit: query.needed)
    }

    /// - Parameter share: the fraction of objects that match the condition, if it was counted.
    func cost(_ path: AccessPath, share: Double?) -> Double {
        let count = Double(path.estimate)
        let share = max(share ?? PlanCost.share(path.residual), 1e-9)
        let found = min(count * share, limit.map { Double($0) } ?? .infinity)
        let results = reads == .rows ? found * PlanCost.row : 0
        let seen = min(count, enough.map { Double($0) / share } ?? .infinity)
        if case .scan(let range) = path.kind {
            if path.isExact, reads == .count, range == 0...UInt64.max { return PlanCost.search }
            return PlanCost.search + results
                + seen * (PlanCost.scannedRow + PlanCost.judging(path.residual))
        }
        guard looksAtAll || !path.isExact else { return path.cost + results }
        return path.cost + results + seen * (PlanCost.row + PlanCost.judging(path.residual))
    }
}

extension AccessPath {
    /// The fraction of objects that match the condition, as far as was counted.
    func share(of count: Int) -> Double {
        guard count > 0 else { return 1 }
        return Double(estimate) / Double(count) * PlanCost.share(residual)
    }

    /// The cost of reading the ids if the path is part of another one.
    var idsCost: Double {
        if case .scan = kind { return Double(estimate) * PlanCost.scannedRow }
        return cost
    }
}
