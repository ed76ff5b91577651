import DaybookRealm
import Foundation

// The model declarations of ObjectBox's page on enums and custom types and of Realm's page on
// object models, with misprints corrected.

enum EnumsPage {
    enum TestEnum: Int {
        case unknown = 0
        case first = 100
        case second = 200
        case third = 300
    }

    class EnumEntity: Entity {
        var id: Id = 0
        // objectbox: convert = { "default": ".unknown" }
        var custom: TestEnum = .unknown
    }

    enum Role: Int {
        case `default` = 0
        case author = 1
        case admin = 2
    }

    class RoleConverter {
        static func convert(_ enumerated: Role) -> Int {
            return enumerated.rawValue
        }
        static func convert(_ num: Int?) -> Role {
            guard let num = num else { return Role.default }
            return Role(rawValue: num) ?? Role.default
        }
    }

    // objectbox: name = "PAGE_USER"
    class User: Entity, CustomDebugStringConvertible {
        var id: Id = 0
        // objectbox: convert = { "dbType": "Int", "converter": "RoleConverter" }
        var role = Role.default

        var debugDescription: String { "User(\(id), \(role))" }
    }
}

enum RealmPage {
    class Person: Object {
        @Persisted var firstName = ""
        @Persisted var lastName = ""
        @Persisted var address: Address?
        @Persisted var friends = List<Person>()
        var ignored = "not stored"

        override class public func propertiesMapping() -> [String: String] {
            [
                "firstName": "first_name",
                "lastName": "last_name",
            ]
        }
    }

    class Address: EmbeddedObject {
        @Persisted var city: String = ""
        @Persisted var country = ""
    }

    class PersonProjection: Projection<Person> {
        @Projected(\Person.firstName) var firstName
        @Projected(\Person.address?.city) var homeCity
        @Projected(\Person.friends.projectTo.firstName)
        var firstFriendsName: ProjectedCollection<String>
    }

    struct PersonSummary: EntityProjection, Equatable {
        typealias Root = Person

        var id: Id
        var firstName: String
        @Projected(\RealmPage.Person.address?.city) var homeCity: String?
        // objectbox: transient
        var isSelected = false
    }

    class WeatherSensor: AsymmetricObject {
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

    class Dog: Object {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted(indexed: true) var name = ""
        @Persisted var breed: String?
        @Persisted var size: Size
        @Persisted var tags: MutableSet<String>
        @Persisted var ages: Map<String, Int>
        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Owner>
    }

    class Owner: Object {
        @Persisted var dogs: List<Dog>
    }
}
