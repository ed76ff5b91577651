import Daybook

/// The target of the links.
final class LinkMember: Entity {
    var id: Id = 0

    static let entityDescription = EntityDescription("Member", [.property("number", UInt64.self)])

    static func decode(_ row: borrowing RowReader) throws -> LinkMember {
        let member = LinkMember()
        member.id = row.id
        return member
    }

    func encode(into row: inout RowWriter) throws { try row.write(id, at: 0) }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// The source of the links, with a many-to-many relation.
final class LinkHost: Entity {
    var id: Id = 0
    var members: ToMany<LinkMember> = nil

    static let entityDescription = EntityDescription(
        "Host", [.property("members", ToMany<LinkMember>.self)])

    static func decode(_ row: borrowing RowReader) throws -> LinkHost {
        let host = LinkHost()
        host.id = row.id
        host.members = try row.read(0)
        return host
    }

    func encode(into row: inout RowWriter) throws { try row.write(members, at: 0) }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
