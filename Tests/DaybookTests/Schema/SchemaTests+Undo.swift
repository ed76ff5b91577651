@testable import Daybook
import DaybookBytes
import DaybookTestSupport
import Testing

extension SchemaTests {
    /// Undo of commits that were written under another declaration.
    @Suite(.serialized) struct UndoneMigrationTests: ShapedPrograms {
        let directory = TemporaryDirectory()

        /// Creates a store with a person whose age was changed as a string and is a number now.
        /// Also returns the commit that changed it.
        private func raised() throws -> (Store, Box<Shaped>, UInt64) {
            let (store, box) = try open([name, ageText])
            try put(box, ["name": "Ada", "age": String?("36")])
            try put(box, ["name": "Countess", "age": String?("37")], id: 1)
            let sequence = try store.sequence
            try store.close()
            let (newer, people) = try open([age, name], migrations: [toNumber])
            return (newer, people, sequence)
        }

        private func conflicts(_ error: DaybookError?) -> [UndoConflict] {
            (error?.cause as? UndoConflicts)?.conflicts ?? []
        }

        @Test(arguments: [UndoPolicy.skip, .overwrite])
        func `values of a property whose type was converted since are not restored`(
            policy: UndoPolicy
        ) throws {
            let (store, box, sequence) = try raised()
            let error = expectError(.conflict) { try store.undo(.commit(sequence)) }
            #expect(conflicts(error).map(\.reason) == [.retyped])
            #expect(conflicts(error).map(\.properties) == [["age"]])
            #expect(try box.get(1)?.found == ["name": "Countess", "age": "37"])
            let report = try store.undo(.commit(sequence), conflicts: policy)
            #expect(report.conflicts.map(\.reason) == [.retyped])
            #expect(try box.get(1)?.found == ["name": "Ada", "age": "37"])
            try store.engine.proveReplay()
            try store.close()
        }

        @Test func `undoing a conversion does not remove the values`() throws {
            let (store, box, _) = try raised()
            let sequence = try store.sequence
            let error = expectError(.conflict) { try store.undo(.commit(sequence)) }
            #expect(conflicts(error).map(\.reason) == [.retyped])
            try store.undo(.commit(sequence), conflicts: .overwrite)
            #expect(try box.get(1)?.found == ["name": "Countess", "age": "37"])
            try store.close()
        }

        @Test func `a removed object is restored without its converted values only on request`()
            throws
        {
            var (store, box) = try open([name, ageText])
            try put(box, ["name": "Ada", "age": String?("36")])
            try put(box, ["name": "Bob", "age": String?("7")])
            try box.remove(1)
            let sequence = try store.sequence
            try store.close()
            (store, box) = try open([age, name], migrations: [toNumber])
            let error = expectError(.conflict) { try store.undo(.commit(sequence)) }
            #expect(conflicts(error).map(\.reason) == [.retyped])
            try store.undo(.commit(sequence), conflicts: .skip)
            #expect(try box.get(1) == nil)
            let report = try store.undo(.commit(sequence), conflicts: .overwrite)
            #expect(report.restoredCount == 1)
            #expect(try box.get(1)?.found == ["name": "Ada", "age": "0"])
            try store.engine.proveReplay()
            try store.close()
        }

        @Test func `nil is not restored if a value is required now`() throws {
            var (store, box) = try open([name, .property("note", String?.self)])
            try put(box, ["name": "Ada", "note": String?.none])
            try put(box, ["name": "Countess", "note": String?("first")], id: 1)
            let sequence = try store.sequence
            try put(box, ["name": "Bob", "note": String?.none])
            try store.close()
            (store, box) = try open([name, .property("note", String.self)])
            let error = expectError(.conflict) { try store.undo(.commit(sequence)) }
            #expect(conflicts(error).map(\.properties) == [["note"]])
            try store.undo(.commit(sequence), conflicts: .overwrite)
            #expect(try box.get(1)?.found == ["name": "Ada", "note": "first"])
            // Changes made with the new declaration are reverted to the values read at that time.
            #expect(try box.get(2)?.found == ["name": "Bob", "note": ""])
            try put(box, ["name": "Bob", "note": "second"], id: 2)
            try store.undo(.commit(try store.sequence))
            #expect(try box.get(2)?.found == ["name": "Bob", "note": ""])
            try store.close()
        }

        @Test func `an undeclared property is restored unless its values were dropped`()
            throws
        {
            var (store, box) = try open([name, ageText])
            try put(box, ["name": "Ada", "age": String?("36")])
            try put(box, ["name": "Countess", "age": String?("37")], id: 1)
            let sequence = try store.sequence
            try store.close()
            (store, box) = try open([name])
            let undo = try store.undo(.commit(sequence))
            #expect(undo.conflicts.isEmpty)
            try store.close()
            (store, box) = try open([name, ageText])
            #expect(try box.get(1)?.found == ["name": "Ada", "age": "36"])
            try store.close()
            (store, box) = try open([name], migrations: [.forget("Shaped", "age")])
            let redone = try #require(undo.sequence)
            let error = expectError(.conflict) { try store.undo(.commit(redone)) }
            #expect(conflicts(error).map(\.reason) == [.retyped])
            #expect(conflicts(error).map(\.properties) == [["age"]])
            try store.close()
        }

        @Test func `wider types and new properties do not conflict with an undo`() throws {
            var (store, box) = try open([name, age])
            try put(box, ["name": "Ada", "age": 36])
            try put(box, ["name": "Ada", "age": 37], id: 1)
            let sequence = try store.sequence
            try store.close()
            (store, box) = try open([
                .property("note", String?.self), .property("age", Int?.self), name,
            ])
            try store.undo(.commit(sequence))
            #expect(try box.get(1)?.found == ["name": "Ada", "age": "36", "note": "nil"])
            try store.close()
        }
    }
}
