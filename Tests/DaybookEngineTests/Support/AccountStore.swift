import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookPages
import DaybookTestSupport

/// An object with properties for every kind of index.
struct Account: Equatable {
    var email: String?
    var code: Int64 = 0
    var city = ""
    var level: Int32?
}

/// A store of accounts, at the level of the engine.
final class AccountStore {
    static let path = "/accounts"
    static let fields = [
        FieldDeclaration(name: "email", type: .string, isOptional: true),
        FieldDeclaration(name: "code", type: .int64),
        FieldDeclaration(name: "city", type: .string),
        FieldDeclaration(name: "level", type: .int32, isOptional: true),
    ]
    static let email = IndexDeclaration(columns: ["email"], isUnique: true)
    static let code = IndexDeclaration(columns: ["code"], isUnique: true)
    static let place = IndexDeclaration(columns: ["city", "level"])
    static let city = IndexDeclaration(columns: ["city"], kind: .hash)
    static let folded = IndexDeclaration(columns: ["city", "code"], kind: .folded)
    static let words = IndexDeclaration(columns: ["city"], kind: .text)
    static let primaryCode = IndexDeclaration(columns: ["code"], isPrimaryKey: true)
    static let all = [email, code, place, city]
    /// Includes indexes whose keys differ from the values.
    static let every = all + [folded, words]

    let engine: Engine
    let layout: EntityLayout
    private let rowLayout: RowLayout

    init(
        _ fileSystem: any FileSystem, indexes: [IndexDeclaration] = AccountStore.all,
        access: Engine.Access = .write, version: UInt64 = 0, migrations: [EntityMigration] = [],
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.refreshIntervalMilliseconds = 0
        options.log.preallocationStepBytes = 16 << 10
        change(&options)
        engine = try Engine.open(Self.path, fileSystem, access: access, options: options)
        var registration = Registration([Self.declaration(indexes)])
        registration.schemaVersion = version
        registration.migrations = migrations
        do {
            layout = try engine.register(registration)[0]
        } catch {
            try? engine.close()
            throw error
        }
        rowLayout = RowLayout(layout)
    }

    static func declaration(_ indexes: [IndexDeclaration]) -> EntityDeclaration {
        EntityDeclaration(name: "Account", fields: fields, indexes: indexes)
    }

    /// A migration that changes the codes; nil removes the account.
    static func transformation(
        toVersion version: UInt64?, _ change: @escaping @Sendable (UInt64, Int64) throws -> Int64?
    ) -> EntityMigration {
        EntityMigration("Account", .transform(version: version)) { object in
            let (row, layout) = (object.newRow, object.new)
            let view = try RowView(row.span, layout)
            guard let code = try change(object.id, view.int64(1)) else {
                object.isRemoved = true
                return
            }
            var encoder = RowEncoder(layout)
            if !view.isNull(0) { try encoder.set(text: try view.text(0), at: 0) }
            encoder.set(int64: code, at: 1)
            try encoder.set(text: try view.text(2), at: 2)
            if !view.isNull(3) { encoder.set(int32: view.int32(3), at: 3) }
            encoder.finish()
            object.newRow = encoder.row.array
            object.changed = ["code"]
        }
    }

    var entity: UInt32 { layout.entityID }

    func row(_ account: Account) throws -> [UInt8] {
        var encoder = RowEncoder(rowLayout)
        if let email = account.email { try encoder.set(text: email, at: 0) }
        encoder.set(int64: account.code, at: 1)
        try encoder.set(text: account.city, at: 2)
        if let level = account.level { encoder.set(int32: level, at: 3) }
        encoder.finish()
        return encoder.row.array
    }

    @discardableResult
    func put(
        _ account: Account, id: UInt64 = 0, mode: PutMode = .put,
        onConflict: [String: UniqueConflict] = [:], upsert: UpsertPolicy = .error,
        in transaction: WriteTransaction
    ) throws -> UInt64 {
        let row = try row(account)
        var rules: [UInt32: UniqueConflict] = [:]
        for (name, rule) in onConflict { rules[number([name])] = rule }
        return try transaction.changes.put(
            entity, id, layout: layout.layoutID, row: row.span,
            PutOptions(mode: mode, upsert: upsert, onConflict: rules)
        ).id
    }

    /// Puts an account in its own operation.
    @discardableResult
    func put(
        _ account: Account, id: UInt64 = 0, mode: PutMode = .put,
        onConflict: [String: UniqueConflict] = [:], upsert: UpsertPolicy = .error
    ) throws -> UInt64 {
        try engine.operate {
            try self.put(
                account, id: id, mode: mode, onConflict: onConflict, upsert: upsert, in: $0)
        }
    }

    @discardableResult
    func remove(_ id: UInt64) throws -> Bool {
        try engine.operate { try $0.changes.remove(self.entity, id) }
    }

    func account(of row: StoredRow) throws -> Account {
        let layout = try engine.schemas.rowLayout(row.layout)
        let bytes = row.bytes
        let view = try RowView(bytes, layout)
        return Account(
            email: view.isNull(0) ? nil : try view.text(0), code: view.int64(1),
            city: try view.text(2), level: view.isNull(3) ? nil : view.int32(3))
    }

    func account(_ id: UInt64) throws -> Account? {
        try engine.row(entity, id).map { try account(of: $0) }
    }

    func all() throws -> [UInt64: Account] {
        var found: [UInt64: Account] = [:]
        try engine.forEachRow(entity) { row in
            found[row.id] = try account(of: row)
            return true
        }
        return found
    }

    /// Returns the number of the index over the given properties; 0 if none exists.
    func number(_ columns: [String]) -> UInt32 {
        let properties = columns.compactMap { name in
            layout.fields.first { $0.name == name }?.propertyID
        }
        return layout.indexes.first { $0.propertyIDs == properties }?.indexID ?? 0
    }

    /// Returns the object that a unique index has for an account's value.
    func find(_ column: String, of account: Account) throws -> UInt64? {
        let row = try row(account)
        let place = layout.fields.firstIndex { $0.name == column } ?? 0
        return try engine.find(
            entity, index: number([column]), try IndexKey([place], of: row.span, rowLayout))
    }

    /// Compares the entries of all indexes with the keys of `accounts`.
    func checkIndexes(_ accounts: [UInt64: Account]) throws {
        for definition in layout.indexes {
            let names = definition.propertyIDs.compactMap { propertyID in
                layout.fields.first { $0.propertyID == propertyID }?.name
            }
            if definition.isUnique || definition.isPrimaryKey {
                try checkUnique(names[0], definition, accounts)
                continue
            }
            switch definition.kind {
            case .hash: try checkHashes(definition, accounts)
            case .value: try checkOrder(definition, accounts)
            case .folded: try checkFolded(definition, accounts)
            case .text: try checkWords(definition, accounts)
            case .vector: break
            }
        }
    }

    private func checkUnique(
        _ name: String, _ definition: LayoutIndex, _ accounts: [UInt64: Account]
    ) throws {
        for (id, account) in accounts where name == "code" || account.email != nil {
            try demand(try find(name, of: account) == id, "\(name) of \(id)")
        }
        try demand(try count(definition) == accounts.count, "the count of \(name)")
    }

    private func checkHashes(
        _ definition: LayoutIndex, _ accounts: [UInt64: Account]
    ) throws {
        var ids: Set<UInt64> = []
        try engine.slot.withPinned { reader in
            var cursor = try reader.pairs(IndexTree.index(definition.indexID))
            while let pair = try cursor.next() { ids.insert(pair.second) }
        }
        try demand(ids == Set(accounts.keys), "the ids of the cities")
        try demand(try count(definition) == accounts.count, "the count of the cities")
    }

    private func checkOrder(
        _ definition: LayoutIndex, _ accounts: [UInt64: Account]
    ) throws {
        let wanted = accounts.sorted { left, right in
            let (one, other) = (left.value, right.value)
            if one.city != other.city {
                return one.city.utf8.lexicographicallyPrecedes(other.city.utf8)
            }
            if one.level != other.level {
                return (one.level.map { Int64($0) } ?? .min)
                    < (other.level.map { Int64($0) } ?? .min)
            }
            return left.key < right.key
        }.map(\.key)
        var found: [UInt64] = []
        try engine.slot.withPinned { reader in
            var cursor = try reader.bytes(IndexTree.index(definition.indexID))
            _ = try cursor.next(valuesInto: &found, limit: .max)
        }
        try demand(found == wanted, "the order of the places: \(found), not \(wanted)")
    }

    private func checkFolded(
        _ definition: LayoutIndex, _ accounts: [UInt64: Account]
    ) throws {
        func small(_ city: String) -> [UInt8] {
            Array(TextFolding.fold(city, ignoresCase: true, ignoresDiacritics: false).utf8)
        }
        let wanted = accounts.sorted { left, right in
            let (one, other) = (left.value, right.value)
            if small(one.city) != small(other.city) {
                return small(one.city).lexicographicallyPrecedes(small(other.city))
            }
            return (one.code, left.key) < (other.code, right.key)
        }.map(\.key)
        var found: [UInt64] = []
        try engine.slot.withPinned { reader in
            var cursor = try reader.bytes(IndexTree.index(definition.indexID))
            _ = try cursor.next(valuesInto: &found, limit: .max)
        }
        try demand(found == wanted, "the cities in their order without case: \(found)")
    }

    /// Compares the objects of each word with a scan of all rows.
    private func checkWords(
        _ definition: LayoutIndex, _ accounts: [UInt64: Account]
    ) throws {
        var wanted: Set<[UInt8]> = []
        for (id, account) in accounts {
            for word in TextWords.words(of: account.city) {
                wanted.insert(
                    Array(word.utf8) + [0] + (0..<8).map { UInt8(id >> (56 - 8 * $0) & 0xFF) })
            }
        }
        var found: Set<[UInt8]> = []
        try engine.slot.withPinned { reader in
            var cursor = try reader.bytes(IndexTree.index(definition.indexID))
            while let entry = try cursor.next() { found.insert(entry.key) }
        }
        try demand(found == wanted, "the words: \(found.count), not \(wanted.count)")
        try demand(try count(definition) == wanted.count, "the count of the words")
    }

    private func count(_ definition: LayoutIndex) throws -> Int {
        try engine.slot.withPinned { try $0.count(IndexTree.index(definition.indexID)) }
    }

    /// Closes the store after checking that a replay of the log gives the same indexes.
    func closeProven() throws {
        try engine.proveReplay()
        try engine.close()
    }
}

struct Difference: Error { let what: String }

func demand(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw Difference(what: what()) }
}
