import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTestSupport
import Testing

@Suite struct UniqueTests {
    private let fileSystem = MemoryFileSystem()

    private func ada(_ code: Int64, _ email: String? = "ada@example.com") -> Account {
        Account(email: email, code: code, city: "London", level: 1)
    }

    private func failure(_ body: () throws -> Void) -> DaybookError? {
        do {
            try body()
            Issue.record("nothing was thrown")
            return nil
        } catch { return error as? DaybookError }
    }

    @Test func `a value of another object is refused, and nothing changes`() throws {
        let store = try AccountStore(fileSystem)
        let first = try store.put(ada(1))
        let error = failure { try store.put(ada(2)) }
        #expect(error?.code == .uniqueViolation)
        #expect(
            error?.details == [
                "entity": "Account", "property": "email", "value": "\"ada@example.com\"",
                "conflictingId": String(first),
            ])
        #expect(failure { try store.put(ada(1, nil)) }?.details["property"] == "code")
        #expect(try store.all() == [first: ada(1)])
        // The same object may keep its values, and unused values are free.
        try store.put(ada(1), id: first)
        try store.put(ada(3), id: first)
        let second = try store.put(ada(1, "b"))
        try store.checkIndexes([first: ada(3), second: ada(1, "b")])
        try store.closeProven()
    }

    @Test func `null never conflicts`() throws {
        let store = try AccountStore(fileSystem)
        for code in 1...3 { try store.put(ada(Int64(code), nil)) }
        #expect(try store.all().count == 3)
        #expect(try store.find("email", of: ada(1, nil)) == nil)
        try store.closeProven()
    }

    @Test func `the error message truncates a long value`() throws {
        let store = try AccountStore(fileSystem)
        let long = String(repeating: "ä", count: 400)
        try store.put(ada(1, long))
        let value = failure { try store.put(ada(2, long)) }?.details["value"] ?? ""
        #expect(value.utf8.count <= 100 && value.hasSuffix("ä…"))
    }

    @Test func `replace removes the conflicting objects, update takes their id, ignore keeps them`()
        throws
    {
        let store = try AccountStore(fileSystem)
        let one = try store.put(ada(1, "a"))
        let two = try store.put(ada(2, "b"))
        // One put replaces both objects.
        let three = try store.put(
            ada(2, "a"), onConflict: ["email": .replace, "code": .replace])
        #expect(try store.all() == [three: ada(2, "a")])
        #expect(three != one && three != two)
        #expect(try store.put(ada(9, "a"), onConflict: ["email": .update]) == three)
        #expect(try store.all() == [three: ada(9, "a")])
        #expect(try store.put(ada(10, "a"), onConflict: ["email": .ignore]) == three)
        #expect(try store.all() == [three: ada(9, "a")])
        try store.checkIndexes([three: ada(9, "a")])
        try store.closeProven()
    }

    @Test func `all indexes are checked before anything changes`() throws {
        let store = try AccountStore(fileSystem)
        let one = try store.put(ada(1, "a"))
        let two = try store.put(ada(2, "b"))
        let before = [one: ada(1, "a"), two: ada(2, "b")]
        // One index allows replacing, but the other one refuses.
        #expect(
            failure { try store.put(ada(2, "a"), onConflict: ["email": .replace]) }?.code
                == .uniqueViolation)
        #expect(try store.all() == before)
        // An object cannot have two ids.
        #expect(
            failure {
                try store.put(ada(2, "a"), onConflict: ["email": .update, "code": .update])
            }?.details["conflictingId"] == String(two))
        // The put updates one object and replaces the other.
        #expect(
            try store.put(ada(2, "a"), onConflict: ["email": .update, "code": .replace]) == one)
        #expect(try store.all() == [one: ada(2, "a")])
        try store.closeProven()
    }

    @Test func `an update to another id checks the values again for that id`() throws {
        let store = try AccountStore(fileSystem)
        let one = try store.put(ada(1, "a"))
        let two = try store.put(ada(2, "b"))
        let stored = failure {
            try store.put(ada(1, "b"), id: one, onConflict: ["email": .update])
        }
        #expect(stored?.details["conflictingId"] == String(two), "it keeps its own place")
        let error = failure { try store.put(ada(1, "b"), onConflict: ["email": .update]) }
        #expect(error?.details["property"] == "code")
        #expect(error?.details["conflictingId"] == String(one))
        #expect(try store.all() == [one: ada(1, "a"), two: ada(2, "b")])
    }

    @Test func `a value that a transaction freed can be used in the same transaction`() throws {
        let store = try AccountStore(fileSystem)
        let one = try store.put(ada(1, "a"))
        let two = try store.put(ada(2, "b"))
        try store.engine.write { transaction in
            try store.put(ada(1, "x"), id: one, in: transaction)
            try store.put(ada(2, "a"), id: two, in: transaction)
            try store.put(ada(1, "b"), id: one, in: transaction)
            #expect(try store.find("email", of: ada(0, "b")) == one)
            #expect(try store.find("email", of: ada(0, "x")) == nil)
            #expect(throws: DaybookError.self) {
                try store.put(ada(3, "a"), in: transaction)
            }
            _ = try transaction.changes.remove(store.entity, one)
            try store.put(ada(1, "b"), in: transaction)
        }
        let now = try store.all()
        #expect(now == [two: ada(2, "a"), 3: ada(1, "b")] || now.count == 2)
        try store.checkIndexes(now)
        try store.closeProven()
    }

    @Test func `a rollback to a savepoint restores the owners of values`() throws {
        let store = try AccountStore(fileSystem)
        let one = try store.put(ada(1, "a"))
        try store.engine.write { transaction in
            let mark = transaction.savepoint()
            _ = try transaction.changes.remove(store.entity, one)
            let other = try store.put(ada(1, "a"), in: transaction)
            #expect(try store.find("code", of: ada(1)) == other)
            transaction.roll(backTo: mark)
            #expect(try store.find("code", of: ada(1)) == one)
            #expect(throws: DaybookError.self) { try store.put(ada(1, "q"), in: transaction) }
            try store.put(ada(7, "a"), id: one, in: transaction)
        }
        #expect(try store.all() == [one: ada(7, "a")])
        try store.closeProven()
    }

    @Test func `a primary key is required, never changes, and finds its object`() throws {
        let store = try AccountStore(
            fileSystem, indexes: [AccountStore.primaryCode, AccountStore.email])
        let one = try store.put(ada(1))
        #expect(failure { try store.put(ada(1, "b")) }?.code == .uniqueViolation)
        let changed = failure { try store.put(ada(2), id: one) }
        #expect(changed?.code == .primaryKeyChanged)
        #expect(changed?.details["property"] == "code" && changed?.details["value"] == "2")
        #expect(try store.put(ada(1, "b"), upsert: .all) == one)
        let sequence = try store.engine.visibleSequence
        #expect(try store.put(ada(1, "b"), upsert: .modified) == one)
        #expect(try store.engine.visibleSequence == sequence, "nothing was written")
        #expect(try store.put(ada(1, "c"), upsert: .modified) == one)
        #expect(try store.put(ada(1, "d"), mode: .update) == one)
        #expect(failure { try store.put(ada(5), mode: .update) }?.code == .notFound)
        #expect(
            failure { try store.put(ada(1), mode: .insert, upsert: .all) }?.code
                == .uniqueViolation)
        let two = try store.put(ada(2, "x"))
        // An update of an object found by another index does not change its primary key.
        #expect(
            failure { try store.put(ada(3, "x"), onConflict: ["email": .update]) }?.code
                == .primaryKeyChanged)
        // The key of a removed object is free, for the same id and for others.
        try store.remove(two)
        try store.put(ada(4, "y"), id: two)
        try store.closeProven()
    }

    @Test func `a primary key without a value is refused`() throws {
        let key = IndexDeclaration(columns: ["email"], isPrimaryKey: true)
        let store = try AccountStore(fileSystem, indexes: [key])
        let error = failure { try store.put(ada(1, nil)) }
        #expect(error?.code == .invalidValue && error?.details["property"] == "email")
        try store.put(ada(1, ""))
        try store.closeProven()
    }

    @Test
    func `a program with fewer declarations keeps unknown properties of objects found by any key`()
        throws
    {
        let store = try AccountStore(fileSystem, indexes: [AccountStore.email])
        let one = try store.put(ada(1, "a"))
        let two = try store.put(Account(email: "b", code: 2, city: "Rome", level: 7))
        let less = EntityDeclaration(
            name: "Account", fields: Array(AccountStore.fields.prefix(2)),
            indexes: [AccountStore.email])
        let layout = try store.engine.register([less])[0]
        var encoder = RowEncoder(RowLayout(layout))
        func put(
            _ email: String, _ code: Int64, id: UInt64 = 0, _ rule: UniqueConflict
        ) throws -> UInt64 {
            encoder.begin()
            try encoder.set(text: email, at: 0)
            encoder.set(int64: code, at: 1)
            encoder.finish()
            let row = encoder.row.array
            return try store.engine.write { transaction in
                try transaction.changes.put(
                    layout.entityID, id, layout: layout.layoutID, row: row.span,
                    PutOptions(onConflict: [layout.indexes[0].indexID: rule])
                ).id
            }
        }
        #expect(try put("a", 10, id: one, .fail) == one)
        #expect(try put("b", 20, .update) == two)
        #expect(try store.account(one) == Account(email: "a", code: 10, city: "London", level: 1))
        #expect(try store.account(two) == Account(email: "b", code: 20, city: "Rome", level: 7))
        let three = try put("a", 30, .replace)
        #expect(try store.account(three)?.city == "" && store.account(one) == nil)
        try store.closeProven()
    }

    @Test func `each entity has its own indexes`() throws {
        let store = try AccountStore(fileSystem, indexes: [])
        let names = ["Left", "Right"]
        let layouts = try store.engine.register(
            names.map { name in
                EntityDeclaration(
                    name: name, fields: AccountStore.fields, indexes: AccountStore.all)
            })
        #expect(layouts.flatMap(\.indexes).map(\.indexID) == Array(1...8))
        for layout in layouts {
            var encoder = RowEncoder(RowLayout(layout))
            try encoder.set(text: "same", at: 0)
            encoder.set(int64: 1, at: 1)
            encoder.finish()
            let row = encoder.row.array
            for isFirst in [true, false] {
                do {
                    try store.engine.write { transaction in
                        try transaction.changes.put(
                            layout.entityID, 0, layout: layout.layoutID, row: row.span)
                    }
                    #expect(isFirst)
                } catch let error as DaybookError {
                    #expect(!isFirst && error.details["entity"] == layout.entityName)
                }
            }
        }
        try store.closeProven()
    }
}
