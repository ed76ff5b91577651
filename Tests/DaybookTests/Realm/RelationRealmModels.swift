import Daybook

// Realm's dogs and their owners. What stands in the extensions is what is otherwise generated.

class Dog: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Owner>
    /// The same, to be changed.
    var keepers: ToMany<Owner> = nil

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

extension Dog: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Dog", [.property("name", String.self)], .backlink("owners", \Owner.dogs, "dogs"),
        .backlink("keepers", \Owner.dogs, "dogs"))
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.name = try row.read(0)
        object.owners = row.backlink(0)
        object.keepers = row.backlink(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self.name, at: 0)
        try row.write(self.owners, backlink: 0)
        try row.write(self.keepers, backlink: 1)
    }
}

class Owner: Object {
    @Persisted var firstName = ""
    @Persisted var dogs: List<Dog>
    @Persisted var friends = List<Owner>()

    convenience init(_ firstName: String) {
        self.init()
        self.firstName = firstName
    }
}

extension Owner: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Owner",
        [
            .property("firstName", String.self), .property("dogs", List<Dog>.self),
            .property("friends", \Owner.friends),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.firstName = try row.read(0)
        object.dogs = try row.read(1)
        object.friends = try row.read(2)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self.firstName, at: 0)
        try row.write(self.dogs, at: 1)
        try row.write(self.friends, at: 2)
    }
}

class OwnerProjection: Projection<Owner> {
    @Projected(\Owner.firstName) var firstName
    @Projected(\Owner.friends.projectTo.firstName)
    var firstFriendsName: ProjectedCollection<String>
}

extension OwnerProjection: EntityProjection {
    static func decode(_ row: borrowing ProjectionReader<Owner>) throws -> Self {
        let object = Self(row: row)
        object.firstName = try row.read(\Owner.firstName, named: "firstName")
        object.firstFriendsName =
            try row.read(\Owner.friends, named: "friends").projectTo.firstName
        return object
    }
    func apply(to root: inout Owner) throws {
        var changes = ProjectedChanges(of: root)
        try changes.note(self.firstName, at: \Owner.firstName, named: "firstName")
        try changes.note(
            self.firstFriendsName, at: \Owner.friends.projectTo.firstName,
            named: "firstFriendsName")
        changes.make(in: &root)
    }
}
