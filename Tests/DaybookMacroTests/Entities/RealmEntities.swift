#if Macros
import DaybookRealm
import Foundation

enum Mood: String, PersistableEnum {
    case calm
    case lively
}

/// Classes as in Realm's model files, with one additional attribute each.
@Entity class Owner: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var firstName = ""
    @Persisted(indexed: true) var age: Int
    @Persisted var mood: Mood
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
    @Persisted var names: MutableSet<String>
    @Persisted var notes: Map<String, Int>
    @Persisted var pets: List<Pet>
    var draft: Int!

    override class public func propertiesMapping() -> [String: String] {
        ["firstName": "first_name"]
    }
}

@Entity class Pet: Object {
    @Persisted var name = ""
    @Persisted(indexed: true) var badge: AnyRealmValue
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>
}

@Embedded class Home: EmbeddedObject {
    @Persisted var city: String = ""
    @Persisted var country = ""
}

@Event class WeatherSensor: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var deviceId: String
    @Persisted var celsius: Float
}
#endif
