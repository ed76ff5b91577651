import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct RelationCodingTests {
    private let store: Store
    private var teams: Box<Team> { store.box() }

    init() throws {
        store = try Store(
            directoryPath: "memory:\(UUID())", entities: Contact.self, Home.self, Spot.self,
            Team.self)
        for id in 1...3 { try store.box().put(Contact(id: Id(id), email: "\(id)@x")) }
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func decode<Value: Decodable>(
        _ text: String, as type: Value.Type = Value.self, from store: Store? = nil
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.userInfo[.daybookStore] = store
        return try decoder.decode(type, from: Data(text.utf8))
    }

    @Test func `ids are coded as numbers`() throws {
        #expect(try json(["a": EntityId<Contact>(7)]) == #"{"a":7}"#)
        #expect(
            try decode("[18446744073709551614]", as: [EntityId<Contact>].self)[0].value
                == 18_446_744_073_709_551_614)
        try store.close()
    }

    @Test func `references are coded as ids and can be put`() throws {
        struct Links: Codable {
            var boss: Reference<Contact>
            var friends: References<Contact>
        }
        let text = #"{"boss":2,"friends":[3,1]}"#
        let links = try decode(text, as: Links.self)
        #expect(links.boss.targetId == 2)
        #expect(links.friends.ids == [3, 1])
        #expect(try json(links) == text)
        let empty = try decode(#"{"boss":null,"friends":[]}"#, as: Links.self)
        #expect(empty.boss.targetId == nil && empty.friends.isEmpty)
        #expect(try json(empty) == #"{"boss":null,"friends":[]}"#)
        var contact = Contact(id: 1, email: "1@x", boss: links.boss, friends: links.friends)
        try store.box().put(&contact)
        let stored = try #require(try store.box(for: Contact.self).get(1))
        #expect(stored.boss.targetId == 2 && stored.friends.ids == [1, 3])
        #expect(try json(stored.friends) == "[1,3]")
        try store.close()
    }

    @Test func `relations of classes are coded as ids and can be put`() throws {
        let team = Team()
        team.lead.targetId = 2
        team.members = ToMany(try store.box(for: Contact.self).all())
        try teams.put(team)
        let stored = try #require(try teams.get(1))
        #expect(try json(stored.lead) == "2")
        #expect(try json(stored.members) == "[1,2,3]")
        let copy = Team()
        copy.lead = try decode("3")
        copy.members = try decode("[3,1]", from: store)
        try teams.put(copy)
        let storedCopy = try #require(try teams.get(2))
        #expect(storedCopy.lead.targetId == 3)
        #expect(try storedCopy.members.get().map(\.id) == [1, 3])
        #expect(try json(try decode("null", as: ToOne<Contact>.self)) == "null")
        #expect(try json(try decode("[]", as: ToMany<Contact>.self)) == "[]")
        try store.close()
    }

    @Test func `objects without ids and ids without objects are errors`() throws {
        let new = ToOne(Contact(email: "new@x"))
        #expect(throws: EncodingError.self) { try json(new) }
        let several: ToMany<Contact> = [Contact(email: "new@x")]
        #expect(throws: EncodingError.self) { try json(several) }
        #expect(throws: DecodingError.self) { try decode("[1]", as: ToMany<Contact>.self) }
        #expect(throws: DecodingError.self) {
            try decode("[1,9]", as: ToMany<Contact>.self, from: store)
        }
        #expect(throws: DecodingError.self) { try decode(#""x""#, as: Reference<Contact>.self) }
        #expect(throws: DecodingError.self) { try decode("-1", as: ToOne<Contact>.self) }
        try store.close()
    }
}

private final class Team: Entity {
    var id: Id = 0
    var lead: ToOne<Contact> = nil
    var members: ToMany<Contact> = nil

    static let entityDescription = EntityDescription(
        "Team",
        [
            .property("lead", ToOne<Contact>.self), .property("members", ToMany<Contact>.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Team {
        let object = Team()
        object.id = row.id
        object.lead = try row.read(0)
        object.members = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(lead, at: 0)
        try row.write(members, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
