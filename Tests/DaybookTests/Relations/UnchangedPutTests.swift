import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// An object that a put finds by its primary key, and ignores if the name is taken.
private final class Member: Entity {
    var id: Id = 0
    var key: String
    var name: String
    var loans: ToMany<Loan> = nil

    init(_ key: String = "", _ name: String = "") { (self.key, self.name) = (key, name) }

    static let entityDescription = EntityDescription(
        "Member",
        [
            .property("key", String.self, .primaryKey),
            .property("name", String.self, .unique(onConflict: .ignore)),
        ],
        .backlink("loans", \Loan.member, "member"))
    static func decode(_ row: borrowing RowReader) throws -> Member {
        let object = Member(try row.read(0), try row.read(1))
        object.id = row.id
        object.loans = row.backlink(0)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(key, at: 0)
        try row.write(name, at: 1)
        try row.write(loans, backlink: 0)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

private final class Loan: Entity {
    var id: Id = 0
    var number: Int
    var member: ToOne<Member> = nil

    init(_ number: Int = 0) { self.number = number }

    static let entityDescription = EntityDescription(
        "Loan",
        [.property("number", Int.self), .property("member", ToOne<Member>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Loan {
        let object = Loan(try row.read(0))
        object.id = row.id
        object.member = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(number, at: 0)
        try row.write(member, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

@Suite struct UnchangedPutTests {
    private let directory = TemporaryDirectory()

    @Test func `a put writes relations of an unchanged object but not of an ignored one`()
        throws
    {
        let store = try Store(directory: directory.url, entities: Member.self, Loan.self)
        let members = store.box(for: Member.self)
        let loans = store.box(for: Loan.self)
        try members.put(Member("k", "Ada"))
        let same = Member("k", "Ada")
        same.loans = [Loan(7)]
        #expect(try members.put(same, update: .modified) == 1)
        #expect(try loans.all().map(\.number) == [7])
        #expect(try loans.get(1)?.member.targetId == 1)
        let other = Member("l", "Ada")
        other.loans = [Loan(8)]
        #expect(try members.put(other, update: .modified) == 1)
        #expect(try members.count() == 1 && loans.count() == 1)
        try store.close()
    }
}
