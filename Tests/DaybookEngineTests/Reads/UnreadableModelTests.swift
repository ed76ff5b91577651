import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Random histories over a log with damaged frames: every result is correct.
@Suite struct UnreadableModelTests {
    private struct History {
        var generator: SeededGenerator
        var fileSystem = MemoryFileSystem()
        var store: AccountStore
        /// All objects, including unreadable ones.
        var model: [UInt64: Account] = [:]
        /// The objects whose rows are unreadable.
        var lost: Set<UInt64> = []
        /// The unreadable objects that the indexes lack.
        var unread: Set<UInt64> = []
        var number: Int64 = 0

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            let files = MemoryFileSystem()
            let isIndexed = seed % 2 == 0
            store = try AccountStore(files, indexes: isIndexed ? AccountStore.every : [])
            var frames: [[UInt64]] = []
            for _ in 0..<6 {
                var ids: [UInt64] = []
                try store.engine.write { transaction in
                    for _ in 0..<Int.random(in: 1...8, using: &generator) {
                        let account = next()
                        let id = try store.put(account, in: transaction)
                        model[id] = account
                        ids.append(id)
                    }
                }
                frames.append(ids)
            }
            try store.engine.writeSnapshot()
            try store.engine.close()
            var contents = files.contents
            let path = files.paths("segment-").last ?? ""
            for ids in frames where Bool.random(using: &generator) {
                let text = Array((model[ids[0]]?.email ?? "").utf8)
                guard var bytes = contents[path] else { continue }
                let place = bytes.indices.first { Array(bytes[$0...].prefix(text.count)) == text }
                bytes[place ?? 0] ^= 1
                contents[path] = bytes
                lost.formUnion(ids)
            }
            fileSystem = MemoryFileSystem(contents: contents)
            store = try AccountStore(fileSystem, indexes: AccountStore.every)
            while try store.engine.buildIndexSlice(limit: 5) {}
            if !isIndexed { unread = lost }
        }

        /// Returns an account with new values.
        mutating func next() -> Account {
            number += 1
            return Account(
                email: "<mail \(number)>", code: number, city: "city \(number % 5)",
                level: number % 4 == 0 ? nil : Int32(number % 3))
        }

        mutating func step() throws {
            let id = UInt64.random(in: 1...(UInt64(model.keys.max() ?? 1) + 1), using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...2: try replace(id)
            case 3, 4: try remove(id)
            case 5: try insert(next())
            case 6: try takeOver(id)
            default: try reopen()
            }
            try check()
        }

        /// Runs a change that an index without `unread` may refuse.
        private func attempt(
            _ unread: Set<UInt64>, _ body: () throws -> Void
        ) throws -> Bool {
            do {
                try body()
                try demand(unread.isEmpty, "\(unread) may have that value")
                return true
            } catch let error as DaybookError where error.code == .corruption {
                try demand(!unread.isEmpty, "nothing is unknown: \(error)")
                try demand(
                    error.details["id"] == String(unread.min() ?? 0), "the first of \(unread)")
                return false
            }
        }

        private mutating func settled(_ id: UInt64, _ account: Account?) {
            model[id] = account
            lost.remove(id)
            unread.remove(id)
        }

        private mutating func replace(_ id: UInt64) throws {
            guard model[id] != nil else { return }
            let account = next()
            if try attempt(unread.subtracting([id]), { try store.put(account, id: id) }) {
                settled(id, account)
            }
        }

        private mutating func remove(_ id: UInt64) throws {
            try demand(try store.remove(id) == (model[id] != nil), "removal of \(id)")
            settled(id, nil)
        }

        private mutating func insert(_ account: Account) throws {
            var id: UInt64 = 0
            if try attempt(unread, { id = try store.put(account) }) { model[id] = account }
        }

        /// Removes an object, and gives its values to another one in the same transaction.
        private mutating func takeOver(_ id: UInt64) throws {
            guard let account = model[id] else { return }
            var new: UInt64 = 0
            let left = unread.subtracting([id])
            // A key that the index contained is free, even if other keys are unknown. A key that
            // the index lacks is not.
            let isKnown = !unread.contains(id)
            let isDone = try attempt(isKnown && !lost.contains(id) ? [] : left) {
                try store.engine.write { transaction in
                    _ = try transaction.changes.remove(store.entity, id)
                    new = try store.put(account, in: transaction)
                }
            }
            guard isDone else { return }
            settled(id, nil)
            model[new] = account
        }

        private mutating func reopen() throws {
            try store.engine.close()
            let reader = try AccountStore(
                fileSystem, indexes: AccountStore.every, access: .read)
            let count = unread.isEmpty ? 0 : AccountStore.every.count
            try demand(reader.engine.openReport.incompleteIndexes.count == count, "the report")
            if unread.isEmpty { try reader.checkIndexes(model) }
            try reader.engine.close()
            store = try AccountStore(fileSystem, indexes: AccountStore.every)
        }

        func check() throws {
            for (id, account) in model {
                if lost.contains(id) {
                    try demand(code { _ = try store.account(id) } == .corruption, "row of \(id)")
                } else {
                    try demand(try store.account(id) == account, "account \(id)")
                }
                if unread.contains(id) {
                    try demand(
                        code { _ = try store.find("code", of: account) } == .corruption,
                        "the code of \(id)")
                } else {
                    try demand(try store.find("code", of: account) == id, "the code of \(id)")
                }
            }
            try demand(store.engine.indexProgress.isEmpty == unread.isEmpty, "the progress")
            if unread.isEmpty { try store.checkIndexes(model) }
        }

        private func code(_ body: () throws -> Void) throws -> DaybookError.Code? {
            do {
                try body()
                return nil
            } catch let error as DaybookError { return error.code }
        }

        mutating func finish() throws {
            for id in lost.sorted() { try remove(id) }
            try demand(unread.isEmpty, "nothing is unread")
            try check()
            try reopen()
            try check()
            try insert(next())
            try store.engine.close()
        }
    }

    @Test(arguments: Seeds.first(20))
    func `every answer of a random history over damaged frames is right`(seed: UInt64) throws {
        do {
            var history = try History(seed: seed)
            for _ in 0..<40 { try history.step() }
            try history.finish()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}
