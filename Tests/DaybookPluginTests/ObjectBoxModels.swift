import DaybookObjectBox
import Foundation

// Models for ObjectBox with only the name of the import changed. They have no macro: the plugin
// generates the code that makes them entities.

enum Mood: Int {
    case unknown = 0
    case cheerful = 100
    case sleepy = 200
}

final class Diary: Entity {
    var id: Id = 0
    // objectbox: convert = { "default": ".unknown" }
    var mood: Mood
    var lastMood: Mood?

    required init() {
        mood = .unknown
    }
}

/// A struct whose properties cannot change, with annotations that change nothing here.
// objectbox: sync
struct Tower: Entity {
    let id: EntityId<Tower>
    // objectbox: externalName = "tower-name"
    let name: String
    // objectbox: type = "flex"
    let plan: Data?
    let floors: Byte
}

enum Role: Int {
    case standard = 0
    case author = 1
    case admin = 2
}

class RoleConverter {
    static func convert(_ role: Role) -> Int { role.rawValue }
    static func convert(_ number: Int?) -> Role {
        number.flatMap(Role.init(rawValue:)) ?? .standard
    }
}

class User: Entity, CustomDebugStringConvertible {
    var id: Id = 0
    // objectbox: convert = { "dbType": "Int", "converter": "RoleConverter" }
    var role = Role.standard
    // objectbox: unique = { "onConflict": "replace" }
    var email = ""
    /// The name that other platforms know.
    // objectbox: name = "USER_NAME", index = "hash"
    var name: String? = nil
    /* objectbox: transient */
    var counter = 0
    // objectbox: date-nano
    var seen = Date(timeIntervalSince1970: 0)
    // objectbox: index, uid = 77
    var logins: Int32 = 0

    var debugDescription: String { "User(\(id))" }

    required init() {}
}

// objectbox: entity, name = "LOG_ENTRIES"
struct LogEntry: Equatable {
    // objectbox: id = { "assignable": true }
    var number: UInt64
    var text: String
    var tags: [String]
    var place: Place?
    var settings = Settings()  // objectbox: encoded
}

struct Settings: Codable, Equatable {
    var volume = 11
    var names: [String: [Int]] = [:]
}

// objectbox: embedded
struct Place: Equatable {
    var city: String
    // objectbox: renamedFrom = "land"
    var country: String?
}

// objectbox: event
struct Visit {
    var user: Id
    var moment: Date
}

// objectbox: entity, expires = {"property": "created", "seconds": 60}
struct Reminder {
    var id: Id = 0
    // objectbox: index
    var created: Date
}

enum Library {
    enum Binding: String {
        case paper, leather
    }

    struct Format: Codable, Equatable {
        var width = 12
    }

    struct BindingConverter {
        static func convert(_ binding: Binding) -> String { binding.rawValue }
        static func convert(_ text: String?) -> Binding {
            text.flatMap(Binding.init(rawValue:)) ?? .paper
        }
    }

    struct Book: Entity {
        var id: EntityId<Book> = 0
        var title: String
        var binding: Binding?
        // objectbox: convert = { "dbType": "String", "converter": "BindingConverter" }
        var spareBinding = Binding.paper
        // objectbox: convert = { "default": "Binding.paper" }
        var firstBinding = Binding.paper
        // objectbox: encoded
        var format = Format()
    }
}

extension Library.Book {
    final class Page: Entity {
        var id: Id = 0
        var number = 0
    }
}

/// ObjectBox's example of a vector search.
// objectbox: entity
final class City {
    var id: Id = 0
    var name: String?
    // objectbox:hnswIndex: dimensions=2, distanceType="euclidean"
    var location: [Float]?

    init() {}
}

/// A class whose initializer may be called without arguments.
final class Writer: Entity {
    var id: EntityId<Writer> = 0
    var name: String
    var books: Int

    init(name: String = "", books: Int = 1) {
        self.name = name
        self.books = books
    }
}

/// A class that can be subclassed, with a variadic parameter.
class Shelf: Entity {
    var id: Id = 0
    var labels: [String]

    init(labels: String...) { self.labels = labels }
}

final class Tagged: Entity {
    var id: Id = 0
    // objectbox: unique
    var tag: String

    init(tag: String = "") { self.tag = tag }
}
