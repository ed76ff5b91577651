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
#endif
