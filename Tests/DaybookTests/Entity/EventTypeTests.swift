@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookMaintenance
import DaybookTestSupport
import Foundation
import Testing

/// Events, which can only be appended and replayed.
@Suite struct EventTypeTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(directory: directory.url, entities: Reading.self, Note.self)
    }

    /// Returns the replay output of each event.
    private func printedEvents(_ engine: Engine) throws -> [String] {
        var lines: [String] = []
        try engine.forEachTransaction(matching: EventFilter(entity: "Reading")) {
            transaction throws(DaybookError) in
            for index in 0..<transaction.eventCount {
                var text = JSONText()
                try transaction[index].appendRow(to: &text)
                lines.append(text.text)
            }
            return true
        }
        return lines
    }

    @Test func `events keep their order in the log after both compactions`() async throws {
        var store = try await Store(
            directory: directory.url, entities: Reading.self, Note.self)
        try await store.append(Reading(device: "roof", celsius: 21.5))
        try await store.append([
            Reading(device: "roof", celsius: 22), Reading(device: "cellar", celsius: -1),
        ])
        try await store.append([Reading]())
        let expected = [
            #"{"device":"roof","celsius":21.5}"#, #"{"device":"roof","celsius":22.0}"#,
            #"{"device":"cellar","celsius":-1.0}"#,
        ]
        #expect(try printedEvents(store.engine) == expected)
        try await store.close()
        store = try open()
        _ = try store.engine.compact(.all, sealsActive: true)
        #expect(try printedEvents(store.engine) == expected)
        _ = try store.engine.compact(.latest, sealsActive: true)
        #expect(try printedEvents(store.engine) == expected)
        try store.engine.proveReplay()
        try await store.close()
    }

    @Test func `events and objects of a transaction are all written, or none is`() throws {
        let store = try open()
        let before = try store.sequence
        try store.write {
            try store.append(Reading(device: "a", celsius: 1))
            try store.box().put(Note(text: "b"))
        }
        #expect(try store.sequence == before + 1)
        #expect(throws: Refusal.self) {
            try store.write {
                try store.append(Reading(device: "never", celsius: 1))
                throw Refusal()
            }
        }
        #expect(try printedEvents(store.engine).count == 1)
        try store.close()
    }

    @Test func `a type that the store was opened without is a typed error`() throws {
        let store = try Store(directory: directory.url, entities: Note.self)
        expectError(.entityNotRegistered) {
            try store.append(Reading(device: "a", celsius: 1))
        }
        try store.close()
    }

    @Test func `a read-only store refuses events`() throws {
        try open().close()
        var options = StoreOptions()
        options.isReadOnly = true
        let store = try Store(
            directory: directory.url, entities: Reading.self, Note.self, options: options)
        expectError(.readOnly) { try store.append(Reading(device: "a", celsius: 1)) }
        try store.close()
    }
}
