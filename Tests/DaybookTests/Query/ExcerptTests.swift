import Daybook
import Foundation
import Testing

/// `query.excerpt(of:in:)`; the selection of the part is tested with `ExcerptSearch`.
@Suite struct ExcerptTests {
    private func shown(_ excerpt: TextExcerpt?) throws -> String {
        let excerpt = try #require(excerpt)
        return excerpt.text + ": "
            + excerpt.highlights.map { String(excerpt.text[$0]) }.joined(separator: ", ")
    }

    @Test func `an excerpt shows the words that the query searches in the property`() throws {
        let items = try ItemStore()
        let query = items.box.query {
            ($0.name.matches("ad*") || $0.nick.matchesPhrase("blue red")) && !$0.nick.matches("x")
        }
        let text = "Adam, blue and red, blue-red x"
        #expect(try shown(query.excerpt(of: \.name, in: text)) == "\(text): Adam")
        #expect(try shown(query.excerpt(of: Item.nick, in: text)) == "\(text): blue-red")
        #expect(try query.excerpt(of: \.nick, in: nil) == nil)
        let part = try #require(try query.excerpt(of: \.nick, in: text, lengthMax: 8))
        #expect(part.text == "blue-red" && part.isCutAtStart && part.isCutAtEnd)
        let none = try query.excerpt(of: \.name, in: "none at all", lengthMax: 9)
        #expect(try shown(none) == "none at: ")
        try items.close()
    }

    @Test func `an excerpt of a property that is not searched is an error`() throws {
        let items = try ItemStore()
        let query = items.box.query { $0.name.matches("ad*") && !$0.nick.matches("x") }
        let error = #expect(throws: DaybookError.self) {
            try query.excerpt(of: \.nick, in: "text")
        }
        #expect(error?.code == .invalidArgument && error?.details["property"] == "nick")
        for lengthMax in [0, -1, Int.min] {
            let error = #expect(throws: DaybookError.self) {
                try query.excerpt(of: \.name, in: "text", lengthMax: lengthMax)
            }
            #expect(error?.code == .invalidArgument)
        }
        let all = try query.excerpt(of: \.name, in: "text ada", lengthMax: .max)
        #expect(all?.text == "text ada" && all?.highlights.count == 1)
        try items.close()
    }
}
