import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTestSupport
import Testing

/// Events: rows that are appended to the log and not indexed by id.
@Suite struct EventTests {
    private static let declarations = [
        EntityDeclaration(
            name: "Click", kind: .event,
            fields: [FieldDeclaration(name: "button", type: .string)]),
        EntityDeclaration(
            name: "Note", fields: [FieldDeclaration(name: "text", type: .string)]),
    ]

    private let fileSystem = MemoryFileSystem()

    private func open() throws -> (Engine, [EntityLayout]) {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.log.preallocationStepBytes = 16 << 10
        let engine = try Engine.open("/store", fileSystem, options: options)
        return (engine, try engine.register(Self.declarations))
    }

    private func row(_ text: String, _ layout: EntityLayout) throws -> [UInt8] {
        var encoder = RowEncoder(RowLayout(layout))
        try encoder.set(text: text, at: 0)
        encoder.finish()
        return encoder.row.array
    }

    private func append(_ texts: [String], _ engine: Engine, _ layout: EntityLayout) throws {
        try engine.write { transaction in
            for text in texts {
                let row = try row(text, layout)
                try transaction.changes.append(
                    layout.entityID, layout: layout.layoutID, row: row.span)
            }
        }
    }

    /// Returns the rows of all events in the log.
    private func events(_ engine: Engine) throws -> [String] {
        var found: [String] = []
        try engine.forEachTransaction(matching: EventFilter(entity: "Click", kinds: [.event])) {
            transaction throws(DaybookError) in
            for index in 0..<transaction.eventCount {
                var text = JSONText()
                try transaction[index].appendRow(to: &text)
                found.append("\(transaction[index].id) \(text.text)")
            }
            return true
        }
        return found
    }

    @Test func `events are in the log in order, and in no index`() throws {
        let (engine, layouts) = try open()
        try append(["a", "b"], engine, layouts[0])
        try append(["c"], engine, layouts[0])
        let click = layouts[0].entityID
        #expect(
            try events(engine) == [
                #"1 {"button":"a"}"#, #"2 {"button":"b"}"#, #"3 {"button":"c"}"#,
            ])
        #expect(try engine.count(click) == 0)
        #expect(try engine.row(click, 1) == nil && !engine.contains(click, 1))
        try engine.forEachRow(click) { _ in
            Issue.record("an event was found")
            return true
        }
        try engine.proveReplay()
        try engine.close()
    }

    @Test(arguments: [false, true])
    func `compaction keeps every event, and numbering continues after a reopen`(
        hasSnapshot: Bool
    ) throws {
        var (engine, layouts) = try open()
        for round in 0..<20 {
            try append((0..<10).map { "\(round).\($0)" }, engine, layouts[0])
        }
        let before = try events(engine)
        #expect(before.count == 200)
        if hasSnapshot { try engine.writeSnapshot() }
        for policy in [HistoryPolicy.all, .since(4), .latest] {
            _ = try engine.compact(policy, sealsActive: true)
            #expect(try events(engine) == before)
        }
        try engine.proveReplay()
        try engine.close()
        (engine, layouts) = try open()
        try append(["last"], engine, layouts[0])
        #expect(try events(engine) == before + [#"201 {"button":"last"}"#])
        try engine.close()
        let report = try Engine.verify("/store", fileSystem)
        #expect(report.severity ?? .note == .note)
        #expect(report.rowCount == 201)
    }

    @Test func `events that are rolled back leave no trace`() throws {
        let (engine, layouts) = try open()
        let row = try row("x", layouts[0])
        try engine.write { transaction in
            let mark = transaction.savepoint()
            try transaction.changes.append(
                layouts[0].entityID, layout: layouts[0].layoutID, row: row.span)
            transaction.roll(backTo: mark)
        }
        #expect(try events(engine) == [])
        try append(["y"], engine, layouts[0])
        #expect(try events(engine).count == 1)
        try engine.close()
    }

    @Test func `an event cannot be put, and an object cannot be appended`() throws {
        let (engine, layouts) = try open()
        let row = try row("x", layouts[0])
        func failure(_ body: (WriteTransaction) throws -> Void) throws -> DaybookError? {
            var failure: DaybookError?
            try engine.write { transaction in
                do { try body(transaction) } catch { failure = error as? DaybookError }
            }
            return failure
        }
        let put = try failure {
            try $0.changes.put(
                layouts[0].entityID, 0, layout: layouts[0].layoutID, row: row.span)
        }
        #expect(put?.code == .invalidArgument && put?.details["entity"] == "Click")
        let removed = try failure { _ = try $0.changes.remove(layouts[0].entityID, 1) }
        #expect(removed?.code == .invalidArgument)
        let appended = try failure {
            try $0.changes.append(layouts[1].entityID, layout: layouts[1].layoutID, row: row.span)
        }
        #expect(appended?.code == .invalidArgument && appended?.details["entity"] == "Note")
        try engine.close()
    }
}
