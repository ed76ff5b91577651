@testable import TimeMachine
import Daybook
import Foundation
import Testing

@Suite struct WikiTests {
    /// Creates a wiki with commits 2 to 5; commit 1 is the schema.
    private func filled(_ name: String) throws -> Wiki {
        let wiki = try Wiki(path: "memory:\(name)")
        try wiki.write("Tea", "leaves", by: "ada")
        try wiki.write("Ink", "black", by: "bob")
        try wiki.write("Tea", "leaves and water", by: "bob")
        _ = try wiki.remove("Ink", by: "ada")
        return wiki
    }

    private func texts(_ pages: [Page]) -> [String] { pages.map { "\($0.title): \($0.text)" } }

    @Test func `the wiki can be shown as of an earlier time`() throws {
        let wiki = try filled("shown")
        #expect(texts(try wiki.all()) == ["Tea: leaves and water"])
        #expect(texts(try wiki.all(at: .sequence(4))) == ["Ink: black", "Tea: leaves and water"])
        #expect(texts(try wiki.all(at: .sequence(3))) == ["Ink: black", "Tea: leaves"])
        #expect(texts(try wiki.all(at: .date(.distantPast))) == [])
        #expect(
            try wiki.changes(since: .sequence(3))
                == ["~ Tea: leaves → leaves and water", "- Ink: black"])
        try wiki.store.close()
    }

    @Test func `the history of a page has authors and changes`() throws {
        let wiki = try filled("told")
        #expect(
            try wiki.story(of: 1)
                == ["4  bob changed text: leaves and water", "2  ada made it: leaves"])
        #expect(try wiki.story(of: 2) == ["5  ada removed it", "3  bob made it: black"])
        try wiki.store.close()
    }

    @Test func `a commit is undone, and the undo is in the history`() throws {
        let wiki = try filled("undone")
        #expect(
            try wiki.undoLast(by: "ada")
                == "undid 5: 0 changed back, 1 there again, 0 removed")
        #expect(
            try wiki.undo(4, by: "eve") == "undid 4: 1 changed back, 0 there again, 0 removed")
        #expect(texts(try wiki.all()) == ["Ink: black", "Tea: leaves"])
        #expect(try wiki.story(of: 1).first == "7  eve changed text: leaves")
        // A later commit to the same page prevents the undo and is reported.
        try wiki.write("Tea", "bags", by: "bob")
        let error = #expect(throws: DaybookError.self) { try wiki.undo(2, by: "eve") }
        #expect(error?.code == .conflict)
        try wiki.store.close()
    }

    @Test func `sequences, dates and yesterday are accepted as moments`() throws {
        #expect(try TimeMachineCommand.moment("12") == .sequence(12))
        #expect(
            try TimeMachineCommand.moment("1970-01-01T00:01:00Z")
                == .date(Date(timeIntervalSince1970: 60)))
        #expect(throws: TimeMachineError.self) { try TimeMachineCommand.moment("soon") }
        #expect(throws: TimeMachineError.self) { try TimeMachineCommand.run(["fly"]) }
    }
}
