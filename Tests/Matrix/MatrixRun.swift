import Daybook
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookMaintenance
import DaybookTestSupport
import Foundation

/// Compares the objects of a model at each step of a store's life.
public enum MatrixRun {
    /// The steps, in order.
    public static let steps = [
        "at once", "reopened", "compacted", "from a snapshot", "without history",
        "copied as rows", "copied as csv", "copied as jsonl",
    ]

    /// Puts an object with no property set and one with every property set, and compares the
    /// objects of each step with them. Returns the differences as strings; none if all are equal.
    public static func differences<E: EveryType>(_ type: E.Type) throws -> [String] {
        var directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: type)
        let put = [E.make(), E.filled()]
        for object in put { try store.box(for: type).put(object) }
        var differences: [String] = []
        for step in steps {
            if step != steps[0] { try store.close() }
            switch step {
            case "compacted": try compact(directory.url.path, .all)
            case "from a snapshot": try snapshot(directory.url.path)
            case "without history": try compact(directory.url.path, .latest)
            case "copied as rows", "copied as csv", "copied as jsonl":
                directory = try copy(directory, type, step)
            default: break
            }
            if step != steps[0] { store = try Store(directory: directory.url, entities: type) }
            let found = try store.box(for: type).all()
            if found.count != put.count { differences.append("\(step): \(found.count) objects") }
            for (found, put) in zip(found, put) {
                for (name, value) in put.values where found.values[name] != value {
                    let got = found.values[name].map { "\($0 as Any)" } ?? "nothing"
                    differences.append("\(step): \(name) is \(got) and was \(value as Any)")
                }
            }
        }
        try store.close()
        return differences.sorted()
    }

    /// Returns the output of `daybook replay` for the two objects, from their own store.
    public static func printed<E: EveryType>(_ type: E.Type) throws -> [String] {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: type)
        for object in [E.make(), E.filled()] { try store.box(for: type).put(object) }
        try store.close()
        return try withEngine(directory.url.path) { engine in
            var lines: [String] = []
            try engine.forEachObject { object throws(DaybookError) in
                var text = JSONText()
                try object.appendRow(to: &text)
                lines.append(text.text)
                return true
            }
            return lines
        }
    }

    /// Copies the objects of a store into a new one without their type.
    private static func copy<E: EveryType>(
        _ directory: TemporaryDirectory, _ type: E.Type, _ step: String
    ) throws -> TemporaryDirectory {
        let (copy, name) = (TemporaryDirectory(), E.entityDescription.name)
        try Store(directory: copy.url, entities: type).close()
        let source = try Store(path: directory.path, entities: [])
        let target = try Store(path: copy.path, entities: [])
        if let format = ExchangeFormat.allCases.first(where: { step.hasSuffix($0.rawValue) }) {
            let file = directory.url.appendingPathComponent("rows")
            try source.exportRows(name, to: file, format: format)
            try target.importRows(into: name, from: file, format: format)
        } else {
            let rows = try target.rows(of: name)
            for row in try source.rows(of: name).all() {
                let values = Dictionary(zip(row.names, row.values)) { first, _ in first }
                try rows.put(values, id: row.id)
            }
        }
        try source.close()
        try target.close()
        return copy
    }

    private static func compact(_ path: String, _ policy: HistoryPolicy) throws {
        try withEngine(path) { _ = try $0.compact(policy, sealsActive: true) }
    }

    private static func snapshot(_ path: String) throws {
        try withEngine(path) { engine in _ = try engine.writeSnapshot() }
    }

    private static func withEngine<Result>(
        _ path: String, _ body: (Engine) throws -> Result
    ) throws -> Result {
        let engine = try Engine.open(path, RealFileSystem())
        defer { try? engine.close() }
        try engine.proveReplay()
        return try body(engine)
    }
}
