#if Macros
import Daybook
import DaybookRealm
import Foundation

// Entities for queries, with members that could hide query properties.

enum Section: String { case fiction, science }

struct Shade {
    var level: Int
    static func convert(_ shade: Shade) -> Int { shade.level }
    static func convert(_ level: Int?) -> Shade { Shade(level: level ?? 0) }
}

struct Wish: Codable, Equatable { var text: String }

@Embedded struct Room: Equatable, Comparable {
    var city = ""
    var floor: Int?

    static func == (one: Self, other: Self) -> Bool { one.city == other.city }
    static func < (one: Self, other: Self) -> Bool { one.city < other.city }
}

// A macro with arbitrary names would hide the operators of the type.
@Entity final class Novel: Hashable, Comparable {
    var id: Id = 0
    var title: String
    var pages = 0
    var price: Double = 0
    @Index(.caseInsensitive) var subtitle: String?
    @Index(.text) var blurb = ""
    var section = Section.fiction
    @Convert(Shade.self, as: Int.self) var shade = Shade(level: 0)
    @Nanoseconds var printed = Date(timeIntervalSince1970: 0)
    @Encoded var wish: Wish?
    var place = Room()
    var writer: ToOne<Writer> = nil
    @Transient var isOpen = false
    // objectbox: transient
    var note = "n"
    var `default` = false
    var `the order`: Int = 0
    var name: String = ""
    private var secret = 0

    /// A member of the type with the name of a property.
    static let name = "novels"

    init(_ title: String, pages: Int = 0, secret: Int = 0) {
        self.title = title
        self.pages = pages
        self.secret = secret
    }

    static func == (one: Novel, other: Novel) -> Bool { one.title == other.title }
    static func < (one: Novel, other: Novel) -> Bool { one.pages < other.pages }
    func hash(into hasher: inout Hasher) { hasher.combine(title) }

    static var secrets: Condition<Novel> { Novel.secret > 10 }
}

@Entity class Writer {
    var id: Id = 0
    var name: String
    var born: Int?
    @Backlink(\Novel.writer) var novels: ToMany<Novel> = nil

    init(_ name: String, born: Int? = nil) {
        self.name = name
        self.born = born
    }
}

/// Types that are visible only inside the enclosing type.
enum Library {
    enum Kind: Int { case lent, kept }

    @Entity struct Copy {
        var id: EntityId<Copy> = 0
        var kind: Kind
        var kinds: [Kind] = []
        var untyped = Kind.kept
    }
}

@Entity class Bird: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var wingspan: Double?
    @Persisted var nest: Nest?
    @Persisted var chicks: List<Bird>
    @Persisted(originProperty: "chicks") var parents: LinkingObjects<Bird>
    var isSinging = false
}

@Embedded class Nest: EmbeddedObject {
    @Persisted var tree = ""
    @Persisted var height: Int?
}
#endif
