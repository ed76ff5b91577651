#if Macros
import Daybook
import Foundation

// The model declarations of ObjectBox's pages on enums and custom types, on entity annotations and
// on relations, with `@Entity` added and misprints corrected.

enum EnumsPage {
    enum TestEnum: Int {
        case unknown = 0
        case first = 100
        case second = 200
        case third = 300
    }

    @Entity class EnumEntity {
        var id: Id = 0
        // objectbox: convert = { "default": ".unknown" }
        var custom: TestEnum

        init(custom: TestEnum) { self.custom = custom }
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

    @Entity class User: Entity, CustomDebugStringConvertible {
        var id: Id = 0
        // objectbox: convert = { "dbType": "Int", "converter": "RoleConverter" }
        var role = Role.default

        var debugDescription: String { "User(\(id), \(role))" }
    }

    @Entity class Document {
        var id: Id = 0
        var userNames: [String]

        init(userNames: [String]) { self.userNames = userNames }
    }
}

enum AnnotationsPage {
    // objectbox: entity
    @Entity class User {
        var id: Id = 0
        // objectbox: unique
        var name: String = ""
        // objectbox: name = "USERNAME"
        var screenName: String = ""
        // objectbox: transient
        var temporaryUsageCounter = 0
        // objectbox: index
        var email = ""
        // objectbox: index = "value"
        var street = ""
        // objectbox: index = "hash64"
        var city = ""
        static let greeting = "Hello"
    }

    @Entity class Counted {
        // objectbox: id
        var number: UInt64 = 0
        var otherId: Id = 0
    }

    @Entity class Signed {
        // objectbox: id
        var number: Int64 = 0
        var text = ""
    }

    @Entity class Typed {
        var id: EntityId<Typed> = 0
        var text = ""
    }

    @Entity class Assigned {
        // objectbox: id = { "assignable": true }
        var id: Id = 0
        var text = ""
    }
}

enum RelationsPage {
    @Entity class Customer {
        var id: Id = 0
        var name = ""
        // objectbox: backlink = "customer"
        var orders: ToMany<Order> = nil
    }

    @Entity class Order {
        var id: Id = 0
        var summary = ""
        var customer: ToOne<Customer> = nil
    }

    @Entity class Teacher {
        var id: Id = 0
        var name = ""
        // objectbox: backlink = "teachers"
        var students: ToMany<Student> = nil
    }

    @Entity class Student {
        var id: Id = 0
        var name = ""
        var teachers: ToMany<Teacher> = nil
    }

    @Entity class TreeNode {
        var id: Id = 0
        var parent: ToOne<TreeNode> = nil
        // objectbox: backlink = "parent"
        var children: ToMany<TreeNode> = nil
    }
}
#endif
