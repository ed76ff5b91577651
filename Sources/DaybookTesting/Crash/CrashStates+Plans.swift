import DaybookBytes

extension CrashStates {
    /// Receives a plan and its category.
    typealias PlanVisitor = (CrashImage.Category, CrashPlan) throws -> Void

    /// The number of pending names up to which all their subsets are visited.
    private static let nameCountMax = 6

    /// Visits every plan. Several plans may give the same image.
    func forEachPlan(seed: UInt64, randomCount: Int, _ visit: PlanVisitor) rethrows {
        try visit(.allLost, CrashPlan(rest: .dropped))
        try visit(.allKept, CrashPlan(rest: .kept))
        // A crash during the last write is the most likely one, so its plans come first; later
        // plans with equal images are duplicates.
        try visitTornWrites(visit)
        try visitSizesWithoutData(visit)
        try visitNames(visit)
        try visitUndoneTruncations(visit)
        for count in pending.indices.dropFirst() {
            var plan = CrashPlan(rest: .dropped)
            for index in 0..<count { plan.outcomes[index] = .kept }
            try visit(.prefix, plan)
        }
        for index in pending.indices {
            try visit(.oneDropped, CrashPlan(rest: .kept, outcomes: [index: .dropped]))
        }
        try visitRandomPlans(seed: seed, count: randomCount, visit)
    }

    private func visitTornWrites(_ visit: PlanVisitor) rethrows {
        for last in lastWriteIndices {
            guard case .write(_, let offset, let bytes) = pending[last] else { continue }
            func plan(
                _ cut: Int, _ damagedCount: Int = 0, _ damage: CrashDamage = .old,
                keepsSize: Bool = false
            ) -> CrashPlan {
                let torn = CrashPlan.Outcome.torn(
                    cut: cut, damagedCount: damagedCount, damage, keepsSize: keepsSize)
                return CrashPlan(rest: .kept, outcomes: [last: torn], seed: UInt64(cut))
            }
            let sector = MemoryVolume.sectorLength
            for cut in 0..<bytes.count {
                let isBoundary = (offset + cut) % sector == 0
                if isBoundary || bytes.count <= Self.byteTornLengthMax {
                    try visit(.lastWriteTorn, plan(cut))
                }
                guard isBoundary || cut == 0 else { continue }
                try visit(.lastWriteTorn, plan(cut, keepsSize: true))
                // The sector after the tear: completely, and from its middle.
                let end = min(bytes.count, cut + sector - (offset + cut) % sector)
                for start in Set([cut, (cut + end) / 2]).sorted() {
                    for damage in [CrashDamage.zeros, .garbage] {
                        try visit(.sectorDamaged, plan(start, end - start, damage))
                        try visit(
                            .sectorDamaged, plan(start, end - start, damage, keepsSize: true))
                    }
                }
            }
        }
    }

    private func visitSizesWithoutData(_ visit: PlanVisitor) rethrows {
        let writes = pending.indices.filter {
            if case .write = pending[$0] { true } else { false }
        }
        guard !writes.isEmpty else { return }
        let all = Dictionary(uniqueKeysWithValues: writes.map { ($0, CrashPlan.Outcome.sizeOnly) })
        try visit(.sizeWithoutData, CrashPlan(rest: .kept, outcomes: all))
        for write in writes {
            try visit(.sizeWithoutData, CrashPlan(rest: .kept, outcomes: [write: .sizeOnly]))
        }
    }

    private func visitNames(_ visit: PlanVisitor) rethrows {
        let names = pending.indices.filter { !pending[$0].changedDirectories.isEmpty }
        guard !names.isEmpty else { return }
        let subsets: [[Int]] =
            names.count <= Self.nameCountMax
            ? (0..<(1 << names.count)).map { bits in
                names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] }
            }
            : names.map { [$0] } + names.map { one in names.filter { $0 != one } }
        for data in [CrashPlan.Outcome.kept, .dropped] {
            for subset in subsets {
                var plan = CrashPlan(rest: data)
                for name in names { plan.outcomes[name] = .dropped }
                for name in subset { plan.outcomes[name] = .kept }
                try visit(.names, plan)
            }
        }
    }

    private func visitUndoneTruncations(_ visit: PlanVisitor) rethrows {
        let cuts = truncationIndices
        guard !cuts.isEmpty else { return }
        for subset in [cuts] + cuts.map({ [$0] }) {
            var plan = CrashPlan(rest: .kept)
            for cut in subset { plan.outcomes[cut] = .dropped }
            try visit(.truncationUndone, plan)
        }
    }

    private func visitRandomPlans(seed: UInt64, count: Int, _ visit: PlanVisitor) rethrows {
        guard !pending.isEmpty else { return }
        let sizes = possibleSizes
        var random = SeededGenerator(seed: seed)
        for _ in 0..<count {
            let chance: UInt8 = [40, 128, 216][random.next(upTo: 3)]
            var plan = CrashPlan(rest: .scattered(chance: chance))
            plan.seed = random.next()
            for file in sizes.keys.sorted() where random.next(upTo: 2) == 0 {
                guard let candidates = sizes[file], !candidates.isEmpty else { continue }
                plan.sizes[file] = candidates[random.next(upTo: candidates.count)]
            }
            try visit(.random, plan)
        }
    }

    /// A write of at most this length is torn at every byte, a longer one at every sector.
    private static let byteTornLengthMax = 4 << 10
}
