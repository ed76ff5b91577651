@testable import Archive
import Testing

@Suite struct ParagraphTests {
    private func paragraphs(_ text: String) -> [Paragraph] { Array(Paragraphs(Array(text.utf8))) }

    @Test func `any number of blank lines separates paragraphs`() {
        let found = paragraphs("\n\nA: 1\nB: 2\n\n\nC: 3")
        #expect(
            found == [
                Paragraph(line: 3, fields: [("A", "1"), ("B", "2")]),
                Paragraph(line: 7, fields: [("C", "3")]),
            ])
    }

    @Test func `a value continues over indented lines`() {
        let found = paragraphs("Tag: one,\n two\nSize: 3\n")
        #expect(found.first?.fields.map(\.value) == ["one,\n two", "3"])
    }

    @Test func `a value may contain colons, and may be empty`() {
        let found = paragraphs("Homepage: https://a.example/\nEmpty:\n")
        #expect(found.first?.fields.map(\.value) == ["https://a.example/", ""])
    }

    @Test func `an empty text has no paragraphs`() {
        #expect(paragraphs("") == [])
        #expect(paragraphs("\n\n\n") == [])
    }
}
