import DaybookRealm

// Dogs and their owners in Realm's spelling, for the tests of Daybook and of DaybookRealm. The
// extensions contain what the macro generates.

package class Dog: Object {
    @Persisted package var name = ""
    @Persisted(originProperty: "dogs") package var owners: LinkingObjects<Owner>
    /// The same backlink, as a relation that can be changed.
    package var keepers: ToMany<Owner> = nil

    package convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

extension Dog: Daybook.Entity {
    package static let entityDescription = EntityDescription(
        "Dog", [.property("name", String.self)], .backlink("owners", \Owner.dogs, "dogs"),
        .backlink("keepers", \Owner.dogs, "dogs"))
    package static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.name = try row.read(0)
        object.owners = row.backlink(0)
        object.keepers = row.backlink(1)
        return object
    }
    package func encode(into row: inout RowWriter) throws {
        try row.write(self.name, at: 0)
        try row.write(self.owners, backlink: 0)
        try row.write(self.keepers, backlink: 1)
    }
}

package class Owner: Object {
    @Persisted package var firstName = ""
    @Persisted package var dogs: List<Dog>
    @Persisted package var friends = List<Owner>()

    package convenience init(_ firstName: String) {
        self.init()
        self.firstName = firstName
    }
}

extension Owner: Daybook.Entity {
    package static let entityDescription = EntityDescription(
        "Owner",
        [
            .property("firstName", String.self), .property("dogs", List<Dog>.self),
            .property("friends", \Owner.friends),
        ])
    package static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.firstName = try row.read(0)
        object.dogs = try row.read(1)
        object.friends = try row.read(2)
        return object
    }
    package func encode(into row: inout RowWriter) throws {
        try row.write(self.firstName, at: 0)
        try row.write(self.dogs, at: 1)
        try row.write(self.friends, at: 2)
    }
}

package class OwnerProjection: Projection<Owner> {
    @Projected(\Owner.firstName) package var firstName
    @Projected(\Owner.friends.projectTo.firstName)
    package var firstFriendsName: ProjectedCollection<String>
}

extension OwnerProjection: EntityProjection {
    package static func decode(_ row: borrowing ProjectionReader<Owner>) throws -> Self {
        let object = Self(row: row)
        object.firstName = try row.read(\Owner.firstName, named: "firstName")
        object.firstFriendsName =
            try row.read(\Owner.friends, named: "friends").projectTo.firstName
        return object
    }
    package func apply(to root: inout Owner) throws {
        var changes = ProjectedChanges(of: root)
        try changes.note(self.firstName, at: \Owner.firstName, named: "firstName")
        try changes.note(
            self.firstFriendsName, at: \Owner.friends.projectTo.firstName,
            named: "firstFriendsName")
        changes.make(in: &root)
    }
}

// Declared beside the types, because a static member of another module hides the stored property.

extension Dog {
    package static var name: Property<Dog, String> { Property("name") }
    package static var owners: Property<Dog, LinkingObjects<Owner>> { Property("owners") }
}
extension Owner {
    package static var firstName: Property<Owner, String> { Property("firstName") }
    package static var dogs: Property<Owner, List<Dog>> { Property("dogs") }
    package static var friends: Property<Owner, List<Owner>> { Property(\Owner.friends, "friends") }
}
