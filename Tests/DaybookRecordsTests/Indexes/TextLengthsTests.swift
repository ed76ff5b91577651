import DaybookBytes
import DaybookPages
@testable import DaybookRecords
import Testing

@Suite struct TextLengthsTests {
    private static let index: UInt32 = 3

    private func space(_ counts: [(id: UInt64, wordCount: UInt64)]) throws -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: 1)
        try space.setWordCounts(counts, ofIndex: Self.index)
        return space
    }

    @Test func `totals follow the texts, and an index without texts has no entries`() throws {
        let space = try space([(1, 5), (2, 7), (3, 0)])
        let reader = space.working
        #expect(
            try reader.textTotals(ofIndex: Self.index) == TextTotals(textCount: 2, wordCount: 12))
        #expect(try reader.wordCount(ofIndex: Self.index, 2) == 7)
        #expect(try reader.textTotals(ofIndex: Self.index + 1) == TextTotals())
        try space.setWordCounts([(1, 2), (2, 0)], ofIndex: Self.index)
        #expect(
            try space.working.textTotals(ofIndex: Self.index)
                == TextTotals(textCount: 1, wordCount: 2))
        try space.setWordCounts([(1, 0), (9, 0)], ofIndex: Self.index)
        #expect(try space.working.count(IndexTree.texts(of: Self.index)) == 0)
        _ = space.end()
    }

    @Test func `totals that contradict the texts are damage`() throws {
        let damaged: [WordValue] = [
            WordValue(first: 0, second: 0), WordValue(first: 1, second: .max),
            WordValue(first: .max, second: 1),
        ]
        for totals in damaged {
            let space = try space([(1, 5)])
            _ = try space.put(IndexTree.texts(of: Self.index), 0, totals)
            let error = #expect(throws: DaybookError.self) {
                try space.setWordCounts([(1, 0), (2, 0)], ofIndex: Self.index)
                try space.setWordCounts([(4, 1), (5, 9), (6, 9)], ofIndex: Self.index)
                try space.setWordCounts([(4, 0), (5, 0), (6, 0)], ofIndex: Self.index)
            }
            #expect(error?.code == .corruption && error?.details["snapshot"] == "pages")
            _ = space.end()
        }
    }

    @Test func `tree numbers of texts belong to their index and to no list`() {
        let tree = IndexTree.texts(of: 7)
        #expect(IndexTree.indexNumber(of: tree) == 7)
        #expect(!IndexTree.isLists(tree) && !IndexTree.isLinks(tree))
        #expect(IndexTree.relation(ofForwardLinks: tree) == nil)
        #expect(IndexTree.isLists(IndexTree.listBacklinks(of: IndexTree.entityMax)))
    }
}
