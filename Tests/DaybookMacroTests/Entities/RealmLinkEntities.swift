#if Macros
import DaybookRealm

/// Relations as in Realm's model files.
@Entity class Keeper: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var favourite: Hound?
    @Persisted var den: Den?
    @Persisted var boss: Keeper?
    @Persisted var hounds: MutableSet<Hound>
    @Persisted(originProperty: "keeper") var kept: LinkingObjects<Hound>
    @Persisted(originProperty: "boss") var team: LinkingObjects<Keeper>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

@Entity class Hound: Object {
    @Persisted var name = ""
    @Persisted var age: Int
    @Persisted var keeper: Keeper?
    @Persisted var mood: Mood?
    @Persisted(originProperty: "hounds") var keepers: LinkingObjects<Keeper>
    @Persisted(originProperty: "favourite") var admirers: LinkingObjects<Keeper>

    convenience init(_ name: String, age: Int = 0) {
        self.init()
        self.name = name
        self.age = age
    }
}

@Embedded class Den: EmbeddedObject {
    @Persisted var city = ""
}

/// A class as in older model files of Realm, without `@objc`, which Linux does not have.
@Entity class Kitten: Object {
    var tag = ""
    var name = ""
    var draft = "not stored"
    let age = RealmOptional<Int>()
    let weight = RealmProperty<Double?>()
    let nicknames = List<String>()
    let friends = List<Kitten>()
    let rivals = MutableSet<Kitten>()
    let byPlace = Map<String, Kitten?>()
    let admirers = LinkingObjects(fromType: Kitten.self, property: "friends")

    override class func primaryKey() -> String? { "tag" }
    override static func indexedProperties() -> [String] { return ["name", "age"] }
    override static func ignoredProperties() -> [String] { ["draft"] }

    convenience init(_ tag: String) {
        self.init()
        self.tag = tag
    }
}
#endif
