/// What is wanted of what a path leads to, and so what the path costs in all.
struct PlanDemand {
    private let reads: QueryReads
    /// Whether the rows of all that is found are looked at, to sort them or to tell them apart.
    private let looksAtAll: Bool
    /// How many are enough, where the first by their ids are.
    private let enough: Int?
    private let limit: Int?

    /// The ids of all.
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

    /// - Parameter share: of how many in one the condition is true, where it was counted.
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
    /// Of how many in one its condition is true, as far as was counted.
    func share(of count: Int) -> Double {
        guard count > 0 else { return 1 }
        return Double(estimate) / Double(count) * PlanCost.share(residual)
    }

    /// What it takes to get the ids where it is part of another path.
    var idsCost: Double {
        if case .scan = kind { return Double(estimate) * PlanCost.scannedRow }
        return cost
    }
}
