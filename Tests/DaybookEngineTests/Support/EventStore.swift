import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
import DaybookTestSupport

/// A store of two types of events and of notes, at the level of the engine.
final class EventStore {
    /// An event in the log.
    struct Fact: Hashable {
        var sequence: UInt64
        var number: UInt64
        var text: String
    }

    static let declarations = [
        EntityDeclaration(name: "Click", kind: .event, fields: [text]),
        EntityDeclaration(name: "Ping", kind: .event, fields: [text]),
        EntityDeclaration(name: "Note", fields: [text]),
    ]
    private static let text = FieldDeclaration(name: "text", type: .string)

    let engine: Engine
    private let layouts: [EntityLayout]

    init(
        _ fileSystem: any FileSystem = MemoryFileSystem(), path: String = NoteStore.path,
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.refreshIntervalMilliseconds = 0
        options.log.preallocationStepBytes = 1 << 10
        options.log.segmentSizeBytes = 2 << 10
        options.blockPayloadBytes = 512
        change(&options)
        engine = try Engine.open(path, fileSystem, options: options)
        layouts = try engine.register(Self.declarations)
    }

    /// A store with several segments of events, notes, and both in one transaction.
    static func filled(
        _ fileSystem: any FileSystem = MemoryFileSystem(), commitCount: Int = 80,
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> EventStore {
        let store = try EventStore(fileSystem, change)
        var generator = SeededGenerator(seed: 1)
        for number in 1...commitCount {
            let words = (0..<5).map { _ in String(generator.next(), radix: 36) }
            let text = "number \(number) " + words.joined()
            switch number % 4 {
            case 0: try store.append([text], to: "Ping")
            case 1: try store.put(text, id: number < 9 ? 0 : UInt64(number % 2 + 1))
            case 2: try store.append([text, text + " again"])
            default:
                try store.engine.write { transaction in
                    try store.append(text, to: "Click", in: transaction)
                    try store.put(text, id: 1, in: transaction)
                }
            }
        }
        return store
    }

    var last: UInt64 { engine.log.lastSequence }

    private func layout(_ name: String) -> EntityLayout {
        layouts.first { $0.entityName == name } ?? layouts[0]
    }

    private func row(_ text: String, _ name: String) throws -> [UInt8] {
        var encoder = RowEncoder(RowLayout(layout(name)))
        try encoder.set(text: text, at: 0)
        encoder.finish()
        return encoder.row.array
    }

    /// Appends events in one transaction.
    func append(_ texts: [String], to name: String = "Click") throws {
        try engine.write { transaction in
            for text in texts { try append(text, to: name, in: transaction) }
        }
    }

    func append(_ text: String, to name: String, in transaction: WriteTransaction) throws {
        let (layout, row) = (layout(name), try row(text, name))
        try transaction.changes.append(layout.entityID, layout: layout.layoutID, row: row.span)
    }

    /// Puts a note in a transaction of its own.
    func put(_ text: String, id: UInt64 = 0) throws {
        try engine.write { try put(text, id: id, in: $0) }
    }

    func put(_ text: String, id: UInt64, in transaction: WriteTransaction) throws {
        let (layout, row) = (layout("Note"), try row(text, "Note"))
        try transaction.changes.put(layout.entityID, id, layout: layout.layoutID, row: row.span)
    }

    /// The events of an entity, in the order of the log.
    func facts(of name: String = "Click") throws -> [Fact] { try engine.facts(of: name) }

    /// The number of the next event.
    func nextNumber(of name: String = "Click") -> UInt64 {
        engine.trees.withLock { $0.applied.counts[layout(name).entityID]?.nextId ?? 1 }
    }

    /// Closes the store after checking every byte, and that a replay of the log gives its state.
    func closeProven() throws {
        try engine.proveReplay()
        let findings = try engine.verify().findings.filter { $0.severity > .note }
        try demand(findings.isEmpty, "\(findings)")
        try engine.close()
    }
}

extension Engine {
    /// The events of an entity, in the order of the log.
    func facts(of name: String) throws -> [EventStore.Fact] {
        var found: [EventStore.Fact] = []
        try forEachTransaction(matching: EventFilter(entity: name, kinds: [.event])) {
            transaction throws(DaybookError) in
            for index in 0..<transaction.eventCount {
                var text = JSONText()
                try transaction[index].appendRow(to: &text)
                found.append(
                    EventStore.Fact(
                        sequence: transaction.sequence, number: transaction[index].id,
                        text: text.text))
            }
            return true
        }
        return found
    }
}

extension HistoryPolicy {
    /// Keeps everything except the events of one entity.
    static func clicks(_ rule: HistoryRule) -> HistoryPolicy {
        HistoryPolicy(.all, entities: ["Click": rule])
    }
}
