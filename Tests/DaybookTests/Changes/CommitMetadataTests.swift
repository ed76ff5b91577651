@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

@Suite struct CommitMetadataTests {
    private func open() throws -> (Store, Box<Note>) {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        return (store, store.box())
    }

    /// Returns the metadata of the last commit.
    private func last(_ store: Store) throws -> CommitMetadata {
        var found: [String: String] = [:]
        try store.engine.forEachTransaction { transaction in
            found = transaction.metadata
            return true
        }
        return CommitMetadata(pairs: found)
    }

    @Test func `a transaction records its author and cause`() throws {
        let (store, notes) = try open()
        let metadata = CommitMetadata(
            author: "ada", cause: "import", correlation: "r7", others: ["ticket": "12"])
        try store.write(metadata: metadata) { try notes.put(Note(text: "a")) }
        #expect(try last(store) == metadata)
        #expect(
            metadata.pairs == [
                "author": "ada", "cause": "import", "correlation": "r7", "ticket": "12",
            ])
        try notes.put(Note(text: "b"))
        #expect(try last(store) == CommitMetadata())
        try store.close()
    }

    @Test func `a task's metadata applies to all its writes`() throws {
        let (store, notes) = try open()
        try CommitMetadata.$current.withValue(CommitMetadata(author: "ada", cause: "typing")) {
            let id = try notes.put(Note(text: "single"))
            #expect(try last(store) == CommitMetadata(author: "ada", cause: "typing"))
            try notes.remove(id)
            #expect(try last(store).author == "ada")
            try notes.put([Note(text: "b"), Note(text: "c")])
            #expect(try last(store).author == "ada")
            try store.write(metadata: CommitMetadata(cause: "saving")) {
                try notes.put(Note(text: "whole"))
            }
            #expect(try last(store) == CommitMetadata(author: "ada", cause: "saving"))
        }
        try notes.put(Note(text: "after"))
        #expect(try last(store) == CommitMetadata())
        try store.close()
    }

    @Test func `a task's metadata applies to the calls that it awaits`() async throws {
        let (store, notes) = try open()
        try await CommitMetadata.$current.withValue(CommitMetadata(author: "ada")) {
            try await notes.put(Note(text: "single"))
            #expect(try last(store).author == "ada")
            try await store.write(metadata: CommitMetadata(correlation: "r1")) {
                try notes.put(Note(text: "whole"))
            }
            #expect(try last(store) == CommitMetadata(author: "ada", correlation: "r1"))
            try await store.write(metadata: ["author": "bob"]) {
                _ = try notes.put(Note(text: "other"))
            }
            #expect(try last(store).author == "bob")
            try await notes.remove(1)
            #expect(try last(store).author == "ada")
        }
        try await store.close()
    }

    @Test func `inner metadata adds to outer metadata and overrides it`() throws {
        let (store, notes) = try open()
        try CommitMetadata.$current.withValue(CommitMetadata(author: "task", correlation: "r")) {
            try store.write(metadata: CommitMetadata(author: "outer", others: ["a": "1"])) {
                try notes.put(Note(text: "a"))
                // The surrounding metadata is unchanged: it adds nothing.
                try store.write(metadata: CommitMetadata(others: ["b": "2"])) {
                    try notes.put(Note(text: "b"))
                }
                try CommitMetadata.$current.withValue(CommitMetadata(cause: "inner task")) {
                    try store.write { try notes.put(Note(text: "c")) }
                }
            }
        }
        #expect(
            try last(store)
                == CommitMetadata(
                    author: "outer", cause: "inner task", correlation: "r",
                    others: ["a": "1", "b": "2"]))
        try store.close()
    }

    @Test func `metadata that is too long is refused before anything is written`() throws {
        let (store, notes) = try open()
        let fits = CommitMetadata(author: String(repeating: "a", count: (16 << 10) - 6))
        let tooLong = CommitMetadata(author: String(repeating: "a", count: (16 << 10) - 5))
        try store.write(metadata: fits) { try notes.put(Note(text: "a")) }
        #expect(try last(store) == fits)
        var hasRun = false
        let error = expectError(.invalidArgument) {
            try store.write(metadata: tooLong) { hasRun = true }
        }
        #expect(!hasRun)
        #expect(error?.details["bytesMax"] == "16384")
        CommitMetadata.$current.withValue(tooLong) {
            expectError(.invalidArgument) { try notes.put(Note(text: "b")) }
        }
        expectError(.transactionAborted) {
            try store.write(metadata: fits) {
                try notes.put(Note(text: "c"))
                try? store.write(metadata: CommitMetadata(cause: "more")) {}
            }
        }
        #expect(try notes.all().map(\.text) == ["a"])
        try store.close()
    }

    @Test func `reserved metadata keys are refused before anything is written`() throws {
        let (store, notes) = try open()
        let forged = CommitMetadata(others: ["daybook.undone": "1"])
        let error = expectError(.invalidArgument) {
            try store.write(metadata: forged) { _ = try notes.put(Note(text: "a")) }
        }
        #expect(error?.details["key"] == "daybook.undone")
        expectError(.invalidArgument) {
            try store.write(metadata: ["daybook.mine": ""]) {
                _ = try notes.put(Note(text: "b"))
            }
        }
        CommitMetadata.$current.withValue(forged) {
            expectError(.invalidArgument) { try notes.put(Note(text: "c")) }
        }
        expectError(.transactionAborted) {
            try store.write {
                try notes.put(Note(text: "d"))
                try? store.write(metadata: forged) {}
            }
        }
        try notes.put(Note(text: "e"))
        let sequence = try store.sequence
        expectError(.invalidArgument) {
            try store.undo(.commit(sequence), metadata: forged)
        }
        #expect(try notes.all().map(\.text) == ["e"])
        // Only the prefix of a key is reserved.
        try store.write(metadata: CommitMetadata(others: ["my.daybook.key": "1"])) {
            _ = try notes.put(Note(text: "f"))
        }
        #expect(try last(store).others == ["my.daybook.key": "1"])
        try store.close()
    }

    @Test func `async calls also refuse reserved metadata keys`() async throws {
        let (store, notes) = try open()
        let forged = CommitMetadata(others: ["daybook.undo": "1"])
        let error = await #expect(throws: DaybookError.self) {
            try await store.write(metadata: forged) { _ = try notes.put(Note(text: "b")) }
        }
        #expect(error?.code == .invalidArgument)
        await CommitMetadata.$current.withValue(forged) {
            let error = await #expect(throws: DaybookError.self) {
                try await notes.put(Note(text: "c"))
            }
            #expect(error?.code == .invalidArgument)
        }
        #expect(try await notes.isEmpty())
        try await store.close()
    }

    @Test func `async calls also refuse metadata that is too long`() async throws {
        let (store, notes) = try open()
        let tooLong = CommitMetadata(others: ["a": String(repeating: "é", count: 8 << 10)])
        let error = await #expect(throws: DaybookError.self) {
            try await store.write(metadata: tooLong) { _ = try notes.put(Note(text: "b")) }
        }
        #expect(error?.code == .invalidArgument)
        #expect(try await notes.isEmpty())
        try await store.close()
    }
}
