import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Indexes that change their kind and change back, with kills, snapshots, compactions and copies. A
/// failure prints its seed.
@Suite struct IndexKindChangeTests {
    private static func account(_ generator: inout SeededGenerator, _ code: Int64) -> Account {
        let cities = ["Athens", "athens Port", "", "Ōsaka ō", "東京 East", "a a A", "ATHENS"]
        return Account(
            email: Bool.random(using: &generator) ? "\(code)@x" : nil, code: code,
            city: cities.randomElement(using: &generator) ?? "",
            level: Bool.random(using: &generator) ? Int32(code % 5) : nil)
    }

    private static func indexes(_ generator: inout SeededGenerator) -> [IndexDeclaration] {
        let kinds: [LayoutIndex.Kind] = [.value, .hash, .text, .folded]
        var indexes = [AccountStore.code]
        let kind = kinds.randomElement(using: &generator) ?? .value
        switch kind {
        case .value: indexes.append(AccountStore.place)
        case .hash: indexes.append(AccountStore.city)
        case .text: indexes.append(AccountStore.words)
        case .folded: indexes.append(AccountStore.folded)
        case .vector: break
        }
        if Bool.random(using: &generator) { indexes.append(AccountStore.email) }
        return indexes
    }

    @Test(arguments: Seeds.first(20 * Seeds.rounds))
    func `changed indexes match the objects`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var fileSystem = MemoryFileSystem()
        var accounts: [UInt64: Account] = [:]
        var code: Int64 = 0
        for round in 0..<8 {
            let declared = Self.indexes(&generator)
            let store = try AccountStore(fileSystem, indexes: declared)
            // Changes some objects while the new indexes are being built.
            for _ in 0..<3 {
                try store.engine.write { transaction in
                    for _ in 0..<12 {
                        let known = accounts.keys.sorted().randomElement(using: &generator)
                        if let known, Int.random(in: 0..<4, using: &generator) == 0 {
                            _ = try transaction.changes.remove(store.entity, known)
                            accounts[known] = nil
                            continue
                        }
                        code += 1
                        let account = Self.account(&generator, code)
                        let isNew = Bool.random(using: &generator)
                        let id = try store.put(
                            account, id: isNew ? 0 : known ?? 0, in: transaction)
                        accounts[id] = account
                    }
                }
                if Bool.random(using: &generator) { try store.engine.writeSnapshot() }
                try store.engine.buildIndexSlice(limit: 9)
            }
            if Bool.random(using: &generator) {
                while try store.engine.buildIndexSlice(limit: 50) {}
                try store.checkIndexes(accounts)
            }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: _ = try store.engine.compact(.latest, sealsActive: true)
            case 1:
                let path = "/copy\(round)"
                _ = try store.engine.copy(into: path)
                let report = try Engine.verify(path, fileSystem)
                #expect(report.severity ?? .note == .note, "seed \(seed): \(report.findings)")
            default: break
            }
            try store.engine.proveReplay()
            let killed = fileSystem.afterKill()
            try store.engine.close()
            if Bool.random(using: &generator) { fileSystem = killed }
            let report = try Engine.verify(AccountStore.path, fileSystem)
            #expect(report.severity ?? .note == .note, "seed \(seed): \(report.findings)")
            let reader = try AccountStore(fileSystem, indexes: declared, access: .read)
            try reader.checkIndexes(accounts)
            #expect(try reader.all() == accounts, "seed \(seed)")
            try reader.closeProven()
        }
    }
}
