import DaybookRealm

// Relations as in Realm's models, without macros.

enum RealmRelations {
    class Walker: Object {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted var name: String
        @Persisted var address: Lodging?
        @Persisted var bestFriend: Walker?
        @Persisted var dogs: List<Terrier>
        @Persisted var friends: MutableSet<Walker>
        @Persisted(originProperty: "owner") var owned: LinkingObjects<Terrier>
        @Persisted(originProperty: "friends") var admirers: LinkingObjects<Walker>
    }

    class Terrier: Object {
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted var owner: Walker?
        @Persisted var coat: Coat?
        @Persisted(originProperty: "dogs") var keepers: LinkingObjects<Walker>
    }

    /// In the style before `@Persisted`, without `@objc`, which Linux does not have.
    class Spaniel: Object {
        var tag = ""
        var draft = ""
        let age = RealmOptional<Int>()
        let friends = List<Spaniel>()
        let byPlace = Map<String, Spaniel?>()
        let admirers = LinkingObjects(fromType: Spaniel.self, property: "friends")

        override class func primaryKey() -> String? { "tag" }
        override class func ignoredProperties() -> [String] { ["draft"] }
    }

    class Lodging: EmbeddedObject {
        @Persisted var city: String
    }

    enum Coat: Int, PersistableEnum {
        case short
        case long
    }

    class WalkerProjection: Projection<Walker> {
        @Projected(\Walker.name) var name
        @Projected(\Walker.bestFriend?.name) var friendName
        @Projected(\Walker.friends.projectTo.name) var friendNames: ProjectedCollection<String>
        @Projected(\Walker.dogs.projectTo.age) var dogAges: ProjectedCollection<Int>
    }

    class TownProjection: Projection<Lodging> {
        @Projected(\Lodging.city) var town
        @Projected(\Lodging.city.count) var length
    }

    class RainReading: AsymmetricObject {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted var place: Lodging?
        @Persisted var places: List<Lodging>
    }

    class WalkEvent: AsymmetricObject {
        @Persisted var minutes: Int
        @Persisted var walker: Walker?
        @Persisted var dogs: List<Terrier>
        @Persisted var met: MutableSet<Walker>
    }
}
