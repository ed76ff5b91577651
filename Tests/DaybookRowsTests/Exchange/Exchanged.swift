import Daybook
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

/// A store in memory, with files beside it.
final class Exchanged: Sendable {
    let directory = TemporaryDirectory()
    let store: Store
    private let found = Mutex<[ImportProblem]>([])

    init() throws {
        store = try Store(
            path: "memory:\(UUID())",
            entities: [Contact.self, Home.self, Spot.self, Note.self, Badge.self])
        try FileManager.default.createDirectory(
            at: directory.url, withIntermediateDirectories: true)
    }

    deinit { try? store.close() }

    var contacts: Box<Contact> { store.box() }

    func url(_ name: String) -> URL { directory.url.appendingPathComponent(name) }

    /// The problems of the last import.
    var problems: [ImportProblem] { found.withLock { $0 } }

    /// Imports bytes.
    @discardableResult
    func load(
        _ bytes: some Collection<UInt8>, _ format: ExchangeFormat, into entity: String = "Contact",
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportReport {
        let file = url("in." + format.rawValue)
        try Data(bytes).write(to: file)
        var options = ImportOptions()
        found.withLock { $0 = [] }
        options.problem = { [weak self] problem in self?.found.withLock { $0.append(problem) } }
        change(&options)
        return try store.importRows(into: entity, from: file, format: format, options: options)
    }

    /// Imports a text.
    @discardableResult
    func load(
        _ text: String, _ format: ExchangeFormat, into entity: String = "Contact",
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportReport { try load(Array(text.utf8), format, into: entity, change) }

    /// Exports a query.
    func text(_ query: String, _ format: ExchangeFormat) throws -> String {
        let file = url("out." + format.rawValue)
        try store.exportRows(query, to: file, format: format)
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Expects that an import fails with problems in these lines, and changes nothing. Returns a
    /// reason for each line.
    @discardableResult
    func expectProblems(
        in lines: [Int], sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> ImportReport
    ) throws -> [String] {
        let before = try store.sequence
        let error = expectError(.invalidValue, sourceLocation: sourceLocation) { _ = try body() }
        #expect(problems.map(\.line) == lines, sourceLocation: sourceLocation)
        #expect(error?.details["line"] == lines.first.map(String.init))
        #expect(error?.details["problems"] == String(Set(lines).count))
        #expect(try store.sequence == before, sourceLocation: sourceLocation)
        let missing = Array(repeating: "", count: max(0, lines.count - problems.count))
        return problems.map(\.reason) + missing
    }
}
