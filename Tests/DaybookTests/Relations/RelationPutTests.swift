@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// A client with a unique name. A put ignores a new client whose name is taken.
private final class Client: Entity {
    var id: Id = 0
    var name: String
    var tickets: ToMany<Ticket> = nil

    init(_ name: String = "") { self.name = name }

    static let entityDescription = EntityDescription(
        "Client", [.property("name", String.self, .unique(onConflict: .ignore))],
        .backlink("tickets", \Ticket.client, "client"))
    static func decode(_ row: borrowing RowReader) throws -> Client {
        let object = Client(try row.read(0))
        object.id = row.id
        object.tickets = row.backlink(0)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(tickets, backlink: 0)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

private final class Ticket: Entity {
    var id: Id = 0
    var number: Int
    var client: ToOne<Client> = nil

    init(_ number: Int = 0) { self.number = number }

    static let entityDescription = EntityDescription(
        "Ticket",
        [
            .property("number", Int.self, .unique(onConflict: .replace)),
            .property("client", ToOne<Client>.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Ticket {
        let object = Ticket(try row.read(0))
        object.id = row.id
        object.client = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(number, at: 0)
        try row.write(client, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// The links that puts write for objects with unique properties, conflicts and copies.
@Suite struct RelationPutTests {
    private let store: Store
    private var clients: Box<Client> { store.box() }
    private var tickets: Box<Ticket> { store.box() }

    init() throws {
        store = try Store(directoryPath: "memory:\(UUID())", entities: Client.self, Ticket.self)
    }

    // MARK: Unique properties

    @Test func `a put of a target with a unique property keeps the new link to it`()
        throws
    {
        let ada = Client("Ada")
        ada.tickets.append(Ticket(7))
        try clients.put(ada)
        #expect(try tickets.get(1)?.client.targetId == EntityId(ada.id))
        // The ticket shows its client, although only the backlink was changed.
        let ticket = Ticket(8)
        ada.tickets.append(ticket)
        try clients.put(ada)
        #expect(ticket.client.targetId == EntityId(ada.id))
        try tickets.put(ticket)
        #expect(try clients.get(ada.id)?.tickets.map(\.number) == [7, 8])
        try store.close()
    }

    @Test func `a put that removes and adds the same link keeps the link`() throws {
        let (ada, bob) = (Client("Ada"), Client("Bob"))
        let ticket = Ticket(7)
        ada.tickets.append(ticket)
        try clients.put([ada, bob])
        bob.tickets.append(ticket)
        ada.tickets.removeAll()
        try clients.put([bob, ada])
        #expect(try tickets.get(1)?.client.targetId == EntityId(bob.id))
        try store.close()
    }

    @Test func `a cascaded object that only an ignored object refers to is not stored`() throws {
        try clients.put(Client("Ada"))
        let (other, fresh) = (Client("Ada"), Client("Eve"))
        let ticket = Ticket(7)
        other.tickets = [ticket]
        try clients.put(other)
        #expect(try tickets.isEmpty() && ticket.id == 0)
        // A ticket that another client also leads to is stored.
        let shared = Ticket(8)
        let second = Client("Ada")
        second.tickets = [shared]
        fresh.tickets = [shared, Ticket(9)]
        try clients.put([second, fresh])
        #expect(try tickets.all().map(\.number) == [8, 9])
        #expect(try tickets.all().map(\.client.targetId) == [2, 2])
        try store.close()
    }

    @Test func `pending relations of an ignored object stay pending`() throws {
        try clients.put(Client("Ada"))
        let other = Client("Ada")
        other.tickets = [Ticket(7)]
        try clients.put(other)
        (other.id, other.name) = (0, "Ada the second")
        try clients.put(other)
        #expect(try clients.get(2)?.tickets.map(\.number) == [7])
        try store.close()
    }

    @Test func `applying a relation stores an object that an ignored object refers to`()
        throws
    {
        let (ada, other) = (Client("Ada"), Client("Ada"))
        try clients.put(ada)
        let ticket = Ticket(7)
        other.tickets = [ticket]
        ticket.client.target = other
        ada.tickets.append(ticket)
        try ada.tickets.applyToDb()
        #expect(try clients.count() == 1)
        #expect(try tickets.all().map(\.client.targetId) == [EntityId(ada.id)])
        try store.close()
    }

    // MARK: Removed objects

    @Test func `an object that was removed and is put again has no relations until they are set`()
        throws
    {
        let ada = Client("Ada")
        ada.tickets = [Ticket(7)]
        try clients.put(ada)
        let ticket = try #require(try tickets.get(1))
        #expect(ticket.client.target?.name == "Ada")
        try tickets.remove(1)
        try tickets.put(ticket)
        #expect(ticket.client.targetId == nil)
        #expect(try tickets.get(1)?.client.hasValue == false)
        ticket.client = ToOne(targetId: 1)
        try tickets.put(ticket)
        #expect(try tickets.get(1)?.client.target?.name == "Ada")
        try store.close()
    }
}
