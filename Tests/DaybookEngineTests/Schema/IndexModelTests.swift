import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookTesting
import DaybookTestSupport
import Testing

/// Random histories of an entity with indexes of every kind, compared with a dictionary that
/// applies the same rules, with kills, closes, snapshots, compactions, followers, and indexes that
/// are added and dropped. A failure prints its seed; `DAYBOOK_SEED=7 swift test --filter
/// IndexModelTests` reproduces it.
@Suite struct IndexModelTests {
    private struct Refusal: Error {}

    private struct History: ~Copyable {
        var generator: SeededGenerator
        var fileSystem = MemoryFileSystem()
        var store: AccountStore
        var follower: AccountStore?
        var model: [UInt64: Account] = [:]
        var used: Set<UInt64> = []
        var indexes = AccountStore.every
        let options: (inout EngineOptions) -> Void

        init(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let segment = [1, 4, 64].randomElement(using: &generator).map { $0 << 10 } ?? 1024
            let frame = [256, 4096, 65536].randomElement(using: &generator) ?? 256
            let durability = [Durability.always, .manual].randomElement(using: &generator)
            options = { options in
                options.log.segmentSizeBytes = segment
                options.framePayloadBytes = frame
                options.blockPayloadBytes = frame
                options.durability = durability ?? .always
                options.snapshotChangeCountMin = 40
            }
            self.generator = generator
            store = try AccountStore(fileSystem, indexes: indexes, options)
        }

        private mutating func account() -> Account {
            let cities = [
                "", "Rome", "Paris", "PARIS", "Pa", "Oslo\0", "New York", "York, new york",
                "Ōsaka 東京",
            ]
            let city = cities.randomElement(using: &generator) ?? ""
            let number = Int.random(in: 0..<30, using: &generator)
            return Account(
                email: number % 5 == 0 ? nil : "\(number)@example.com",
                code: Int64.random(in: -20..<20, using: &generator), city: city,
                level: number % 3 == 0 ? nil : Int32(number - 10))
        }

        /// A write of one or more changes, some of which are rolled back.
        private mutating func write() throws {
            let before = model
            let fails = Int.random(in: 0..<8, using: &generator) == 0
            do {
                try store.engine.write { transaction in
                    for _ in 0..<Int.random(in: 1...8, using: &generator) {
                        let mark = transaction.savepoint()
                        let model = model
                        try change(transaction)
                        if Int.random(in: 0..<6, using: &generator) == 0 {
                            transaction.roll(backTo: mark)
                            self.model = model
                        }
                    }
                    if fails { throw Refusal() }
                }
            } catch is Refusal {
                model = before
            }
        }

        private mutating func change(_ transaction: WriteTransaction) throws {
            let known = used.sorted().randomElement(using: &generator)
            if let known, Int.random(in: 0..<4, using: &generator) == 0 {
                let wasThere = model.removeValue(forKey: known) != nil
                try demand(
                    try transaction.changes.remove(store.entity, known) == wasThere,
                    "removing \(known)")
                return
            }
            let account = account()
            let rules = [UniqueConflict.fail, .fail, .replace, .update, .ignore]
            let conflicts = [
                "email": rules.randomElement(using: &generator) ?? .fail,
                "code": rules.randomElement(using: &generator) ?? .fail,
            ]
            let id = Bool.random(using: &generator) ? 0 : known ?? 0
            let wanted = decide(account, id, conflicts)
            var got: UInt64?
            do {
                got = try store.put(account, id: id, onConflict: conflicts, in: transaction)
            } catch let error as DaybookError where error.code == .uniqueViolation {}
            switch wanted {
            case .violation: try demand(got == nil, "\(account) at \(id) was put")
            case .keep(let kept): try demand(got == kept, "\(account) at \(id) is \(kept)")
            case .put(let id, let victims):
                guard let got else { throw Difference(what: "\(account) at \(id) was refused") }
                try demand(id == 0 ? !used.contains(got) : got == id, "the id \(got), not \(id)")
                for victim in victims { model[victim] = nil }
                used.insert(got)
                model[got] = account
            }
        }

        private enum Decision {
            case violation
            case keep(UInt64)
            case put(UInt64, victims: [UInt64])
        }

        private func owners(_ account: Account, but id: UInt64) -> [String: UInt64] {
            var owners: [String: UInt64] = [:]
            for (other, known) in model where other != id {
                if isUnique("email"), known.email != nil, known.email == account.email {
                    owners["email"] = other
                }
                if isUnique("code"), known.code == account.code { owners["code"] = other }
            }
            return owners
        }

        private func isUnique(_ column: String) -> Bool {
            indexes.contains { $0.columns == [column] && $0.isUnique }
        }

        private func decide(
            _ account: Account, _ id: UInt64, _ rules: [String: UniqueConflict]
        ) -> Decision {
            var id = id
            var found = owners(account, but: id)
            let takers = Set(found.filter { rules[$0.key] == .update }.values)
            // A stored object keeps its id.
            let isStored = model[id] != nil
            if takers.count > 1 || isStored && !takers.isEmpty { return .violation }
            if let taker = takers.first {
                id = taker
                found = owners(account, but: id)
                if found.contains(where: { rules[$0.key] == .update }) { return .violation }
            }
            if found.contains(where: { rules[$0.key] == .fail }) { return .violation }
            for column in ["email", "code"] where rules[column] == .ignore {
                if let owner = found[column] { return .keep(isStored ? id : owner) }
            }
            return .put(id, victims: Array(found.values))
        }

        mutating func step() throws {
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: try reopen(proven: true)
            case 1, 2: try reopen(proven: false)
            case 3: try store.engine.writeSnapshotAndPrune()
            case 4: _ = try store.engine.compact(.all, sealsActive: true)
            case 5: _ = try store.engine.compact(.latest)
            case 6, 7: try follow()
            case 8: try declareOtherIndexes()
            case 9, 10: try store.engine.buildIndexSlice(limit: 3)
            default: try write()
            }
            try check()
        }

        /// Closes or kills the store and opens it again, sometimes with other indexes.
        private mutating func reopen(proven: Bool) throws {
            follower = nil
            if proven {
                try store.closeProven()
            } else {
                fileSystem = fileSystem.afterKill()
            }
            store = try AccountStore(fileSystem, indexes: indexes, options)
            used = used.filter { $0 < nextId }
        }

        private var nextId: UInt64 {
            store.engine.trees.withLock { $0.applied.counts[store.entity]?.nextId ?? 1 }
        }

        /// Adds and drops indexes: unique ones are added again only if the values allow it.
        private mutating func declareOtherIndexes() throws {
            var wanted = [AccountStore.email, AccountStore.code]
            if Int.random(in: 0..<4, using: &generator) == 0 { wanted = [AccountStore.email] }
            for index in AccountStore.every.dropFirst(2)
            where Int.random(in: 0..<3, using: &generator) > 0 {
                wanted.append(index)
            }
            let before = (store.layout, indexes)
            do {
                _ = try store.engine.register([AccountStore.declaration(wanted)])
                indexes = wanted
            } catch let error as DaybookError where error.code == .uniqueViolation {
                let codes = model.values.map(\.code)
                try demand(Set(codes).count < codes.count, "the codes were unique")
                try demand(
                    try store.engine.register([AccountStore.declaration(before.1)]) == [before.0],
                    "the layout stays")
                return
            }
            // The store under test binds to the layout when it opens.
            while try store.engine.buildIndexSlice(limit: 2),
                Int.random(in: 0..<5, using: &generator) > 0
            {}
            try reopen(proven: Bool.random(using: &generator))
        }

        private mutating func follow() throws {
            if follower == nil {
                follower = try AccountStore(fileSystem, indexes: indexes, access: .read)
            }
            guard let follower else { return }
            _ = try store.engine.sync()
            try follower.engine.refresh()
            try demand(try follower.all() == model, "all that the follower sees")
            try follower.checkIndexes(model)
            // The follower's records may be in segments that a compaction has replaced since.
            try demand(try follower.engine.checkReplay().hasEqualIndexes, "the follower's indexes")
        }

        func check() throws {
            try demand(try store.all() == model, "all of it")
            if store.engine.indexProgress.isEmpty { try store.checkIndexes(model) }
        }

        mutating func finish() throws {
            while try store.engine.buildIndexSlice() {}
            try check()
            let report = try Engine.verify(AccountStore.path, fileSystem)
            try demand(report.severity ?? .note == .note, "verification: \(report.findings)")
            try store.closeProven()
        }
    }

    @Test(arguments: Seeds.first(40))
    func `in a random history indexes always match the objects`(seed: UInt64) throws {
        var history = try History(seed: seed)
        do {
            for _ in 0..<60 { try history.step() }
            try history.finish()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}
