#if Macros
// The program of the README. The README prints the lines between the marks; another test compares
// both.

// README: begin
import Daybook
import Foundation

@Entity final class Note {
    var id: Id = 0
    var text: String
    var written = Date()
    var stars: Int?

    init(_ text: String) { self.text = text }
}
// README: end

import Testing

@Suite struct ReadmeTests {
    @Test func `the program of the README does what its comments state`() throws {
        let directory = TemporaryDirectory()
        let url = directory.url
        // README: begin
        let store = try Store(directory: url, entities: Note.self)
        let notes = store.box(for: Note.self)

        let first = Note("Buy ink")
        try notes.put(first)  // durable when it returns; first.id is 1
        try notes.put([Note("Rule the pages"), Note("Begin")])  // one transaction

        try store.write {
            first.stars = 5
            try notes.put(first)  // the same id: a new version of the object
            try notes.remove(2)
        }
        let texts = try notes.all().map(\.text)  // ["Buy ink", "Begin"]
        try store.close()
        // README: end
        #expect(first.id == 1)
        #expect(texts == ["Buy ink", "Begin"])
        let again = try Store(directory: url, entities: Note.self)
        #expect(try again.box(for: Note.self).get(1)?.stars == 5)
        try again.close()
    }
}
#endif
