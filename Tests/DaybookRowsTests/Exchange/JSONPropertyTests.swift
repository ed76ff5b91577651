import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// A property of a `Codable` type, which is stored as JSON.
private struct Survey: Entity {
    var id: Id = 0
    var answers: [String: [Double]] = [:]

    static let entityDescription = EntityDescription("Survey", [.encoded("answers")])
    static func decode(_ row: borrowing RowReader) throws -> Survey {
        Survey(id: row.id, answers: try row.readEncoded(0, default: [:]))
    }
    func encode(into row: inout RowWriter) throws { try row.writeEncoded(answers, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

@Suite struct JSONPropertyTests {
    private let directory = TemporaryDirectory()

    /// The decimals became strings.
    @Test func `numbers in imported JSON stay numbers`() throws {
        let store = try Store(path: "memory:\(UUID())", entities: [Survey.self])
        try FileManager.default.createDirectory(
            at: directory.url, withIntermediateDirectories: true)
        let file = directory.url.appendingPathComponent("in.jsonl")
        let line = #"{"answers":{"a":[1.5,-2e3,3,0.1]}}"# + "\n"
        try Data(line.utf8).write(to: file)
        try store.importRows(into: "Survey", from: file, format: .jsonLines)
        #expect(
            try store.box(for: Survey.self).all().map(\.answers) == [["a": [1.5, -2e3, 3, 0.1]]])
        try store.close()
    }
}
