@testable import Daybook
import DaybookRecords
import DaybookTestSupport
import Foundation
import Testing

/// Text indexes and case-insensitive indexes in declarations.
@Suite struct IndexKindTests {
    private let directory = TemporaryDirectory()

    @Test func `a property can have an index of each kind`() throws {
        let kinds = Essay.entityDescription.indexes.map(\.declaration)
        #expect(kinds.map(\.kind) == [.text, .folded, .folded])
        #expect(kinds.map(\.columns) == [["body"], ["title"], ["title", "year"]])
        #expect(!kinds.contains { $0.isUnique || $0.isPrimaryKey })
        var store = try Store(directory: directory.url, entities: Essay.self)
        var article = Essay(title: "On Ink", body: "Ink is black. Black ink!", year: 1999)
        try store.box(for: Essay.self).put(&article)
        try store.box(for: Essay.self).put(Essay(title: "ON INK", body: "", year: 1999))
        try store.close()
        store = try Store(directory: directory.url, entities: Essay.self)
        #expect(try store.box(for: Essay.self).get(article.entityId) == article)
        #expect(try store.box(for: Essay.self).count() == 2)
        try store.close()
    }

    @Test func `an index that does not fit its property is refused at opening`() throws {
        try expectRefusal("number", NumberOfWords.self)
        try expectRefusal("number", FoldedNumber.self)
        try expectRefusal("one, two", TwoTexts.self)
        // The store contains none of them.
        try Store(directory: directory.url, entities: Essay.self).close()
    }

    private func expectRefusal<E: Entity>(_ names: String, _ type: E.Type) throws {
        let error = expectError(.schemaMismatch) {
            _ = try Store(directory: directory.url, entities: type)
        }
        #expect(error?.details["property"] == names)
        #expect(error?.details["entity"] == E.entityDescription.name)
    }
}

private struct Essay: Entity, Equatable {
    var entityId: Id = 0
    var title: String
    var body: String
    var year: Int

    static let entityDescription = EntityDescription(
        "Essay",
        [
            .property("body", String.self, .index(.text)), .property("year", Int.self),
            .property("title", String.self, .index(.caseInsensitive)),
        ], .index("title", "year", kind: .caseInsensitive))
    static func decode(_ row: borrowing RowReader) throws -> Essay {
        Essay(
            entityId: row.id, title: try row.read(2), body: try row.read(0),
            year: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(body, at: 0)
        try row.write(year, at: 1)
        try row.write(title, at: 2)
    }
}

private protocol Undecodable: Entity { init() }

extension Undecodable {
    static func decode(_ row: borrowing RowReader) throws -> Self { Self() }
    func encode(into row: inout RowWriter) throws {}
}

private struct NumberOfWords: Undecodable {
    var entityId: Id = 0
    static let entityDescription = EntityDescription(
        "NumberOfWords", [.property("number", Int.self, .index(.text))])
}

private struct FoldedNumber: Undecodable {
    var entityId: Id = 0
    static let entityDescription = EntityDescription(
        "FoldedNumber", [.property("number", Int.self, .index(.caseInsensitive))])
}

private struct TwoTexts: Undecodable {
    var entityId: Id = 0
    static let entityDescription = EntityDescription(
        "TwoTexts", [.property("one", String.self), .property("two", String.self)],
        .index("one", "two", kind: .text))
}
