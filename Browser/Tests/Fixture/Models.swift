import Daybook
import Foundation

struct Person: Entity {
    var id: Id = 0
    var name = ""
    var age: Int?
    var email: String?
    var born: Date?
    var notes: String?
    var photo: Data?
    var boss: Reference<Person> = nil
    var teams: References<Team> = nil

    static let entityDescription = EntityDescription(
        "Person",
        [
            .property("name", String.self, .index), .property("age", Int?.self, .index),
            .property("email", String?.self), .property("born", Date?.self),
            .property("notes", String?.self), .property("photo", Data?.self),
            .property("boss", Reference<Person>.self), .property("teams", References<Team>.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Person {
        Person(
            id: row.id, name: try row.read(0), age: try row.read(1), email: try row.read(2),
            born: try row.read(3), notes: try row.read(4), photo: try row.read(5),
            boss: try row.read(6), teams: try row.read(7))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(age, at: 1)
        try row.write(email, at: 2)
        try row.write(born, at: 3)
        try row.write(notes, at: 4)
        try row.write(photo, at: 5)
        try row.write(boss, at: 6)
        try row.write(teams, at: 7)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

struct Team: Entity {
    var id: Id = 0
    var title = ""

    static let entityDescription = EntityDescription("Team", [.property("title", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> Team {
        Team(id: row.id, title: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(title, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

struct Hostile: Entity {
    var id: Id = 0
    var text = ""

    static let entityDescription = EntityDescription("Hostile", [.property("text", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> Hostile {
        Hostile(id: row.id, text: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(text, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
