#if Macros
import Daybook
import Foundation
import Testing

@Entity(expires: "end") struct Ticket {
    var id: Id = 0
    @Index var end: Date?
}

@Entity(name: "Sketch", expires: "made", after: .seconds(60)) final class Draft {
    var id: Id = 0
    @Name("made_at") @Nanoseconds var made = Date()
}

@Suite struct ExpiringEntityTests {
    private let directory = TemporaryDirectory()

    @Test func `objects of the macro expire at their date, or a time after it`() throws {
        let store = try Store(directory: directory.url, entities: Ticket.self, Draft.self)
        let (tickets, drafts) = (store.box(for: Ticket.self), store.box(for: Draft.self))
        let now = Date()
        try tickets.put([Ticket(end: now + 3_600), Ticket(end: nil), Ticket(end: now + 7_200)])
        let draft = Draft()
        draft.made = now + 3_500
        try drafts.put(draft)
        #expect(try store.removeExpired(at: now + 3_559) == 0)
        #expect(try store.removeExpired(at: now + 3_601) == 2)
        #expect(try tickets.all().map(\.id) == [2, 3])
        #expect(try drafts.isEmpty())
        try store.close()
    }
}
#endif
