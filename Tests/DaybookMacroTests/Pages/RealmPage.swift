#if Macros
import DaybookRealm
import Foundation

// The model declarations of Realm's page on object models, with an attribute added and missing
// braces corrected.

enum RealmPage {
    @Entity class Person: Object {
        @Persisted var firstName = ""
        @Persisted var lastName = ""

        override class public func propertiesMapping() -> [String: String] {
            [
                "firstName": "first_name",
                "lastName": "last_name",
            ]
        }
    }

    enum Projections {
        @Entity class Person: Object {
            @Persisted var firstName = ""
            @Persisted var lastName = ""
            @Persisted var address: Address?
            @Persisted var friends = List<Person>()
            var ignored = "not stored"
        }

        @Embedded class Address: EmbeddedObject {
            @Persisted var city: String = ""
            @Persisted var country = ""
        }
    }

    @Event class WeatherSensor: AsymmetricObject {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted var deviceId: String
        @Persisted var temperatureInFahrenheit: Float
        @Persisted var barometricPressureInHg: Float
        @Persisted var windSpeedInMph: Int
    }

    enum Size: String, PersistableEnum {
        case small
        case large
    }

    @Entity class Dog: Object {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted(indexed: true) var name = ""
        @Persisted var breed: String?
        @Persisted var size: Size
        @Persisted var tags: MutableSet<String>
        @Persisted var ages: Map<String, Int>
        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Owner>
    }

    @Entity class Owner: Object {
        @Persisted var dogs: List<Dog>
    }
}

typealias PagePerson = RealmPage.Projections.Person

@Projection class PersonProjection: Projection<PagePerson> {
    @Projected(\PagePerson.firstName) var firstName  // Passthrough from original object
    @Projected(\PagePerson.address?.city) var homeCity  // Rename and access through a key path
    // Collection mapping
    @Projected(\PagePerson.friends.projectTo.firstName)
    var firstFriendsName: ProjectedCollection<String>
}
#endif
