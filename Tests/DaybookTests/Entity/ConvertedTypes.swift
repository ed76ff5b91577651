import Daybook
import Foundation

// Types in the style of ObjectBox's documentation, with the code that the macro generates.

enum Role: Int {
    case none = 0
    case author = 1
    case admin = 2
}

/// `Role` before `admin` was added.
enum EarlierRole: Int {
    case none = 0
    case author = 1
}

enum Colour: String, CaseIterable {
    case red, green
}

enum RoleConverter {
    static func convert(_ role: Role) -> Int { role.rawValue }
    static func convert(_ number: Int?) -> Role { number.flatMap(Role.init) ?? .none }
}

/// A converter whose functions do not accept nil.
enum HexConverter {
    static func convert(_ number: Int) -> String { String(number, radix: 16) }
    static func convert(_ text: String) -> Int { Int(text, radix: 16) ?? -1 }
}

/// A converter that may return nothing to store.
enum WordConverter {
    static func convert(_ words: [String]) -> String? {
        words.isEmpty ? nil : words.joined(separator: " ")
    }
    static func convert(_ text: String?) -> [String] {
        text.map { $0.split(separator: " ").map(String.init) } ?? []
    }
}

struct Settings: Codable, Equatable {
    var isDark = false
    var sizes: [String: Double] = [:]
    var parent: [Settings] = []
}

struct Converted: Entity, Equatable {
    var id: Id = 0
    var role = Role.none
    var number = 0
    var words: [String] = []
    var settings = Settings()
    var other: Settings?
    var exact = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_7)
    var exactOrNil: Date?

    static let entityDescription = EntityDescription(
        "Converted",
        [
            .converted("role", to: Int.self),
            .converted("number", to: String.self),
            .converted("words", to: String.self),
            .encoded("settings"),
            .encoded("other"),
            .nanoseconds("exact"),
            .nanoseconds("exactOrNil"),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Converted {
        var object = Converted(id: row.id)
        object.role = try row.read(0, converting: Int.self, with: RoleConverter.convert)
        object.number = try row.read(1, converting: String.self, with: HexConverter.convert)
        object.words = try row.read(2, converting: String.self, with: WordConverter.convert)
        object.settings = try row.readEncoded(3, default: Settings())
        object.other = try row.readEncoded(4)
        object.exact = try row.readNanoseconds(5)
        object.exactOrNil = try row.readNanoseconds(6)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(role, at: 0, converting: Int.self, with: RoleConverter.convert)
        try row.write(number, at: 1, converting: String.self, with: HexConverter.convert)
        try row.write(words, at: 2, converting: String.self, with: WordConverter.convert)
        try row.writeEncoded(settings, at: 3)
        try row.writeEncoded(other, at: 4)
        try row.writeNanoseconds(exact, at: 5)
        try row.writeNanoseconds(exactOrNil, at: 6)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// Enum cases by raw value in every form, for any enum of `Int`s: one version of a program knows
/// more cases than another.
struct Cased<Case: RawRepresentable & Hashable & Sendable>: Entity, Equatable
where Case.RawValue == Int {
    var id: Id = 0
    var withDefault: Case
    var plain: Case
    var orNil: Case?
    var list: [Case] = []
    var set: Set<Case> = []
    var map: [String: Case] = [:]
    var listOrNil: [Case]?
    var note = ""

    init(_ one: Case) {
        withDefault = one
        plain = one
    }

    static var entityDescription: EntityDescription {
        EntityDescription(
            "Cased",
            [
                .property("withDefault", Case.self),
                .property("plain", \Cased.plain),
                .property("orNil", Case?.self),
                .property("list", [Case].self),
                .property("set", Set<Case>.self),
                .property("map", [String: Case].self),
                .property("listOrNil", [Case]?.self),
                .property("note", String.self),
            ])
    }
    /// The value for missing or unknown raw values.
    static var fallback: Case { Case(rawValue: 1) ?? Case(rawValue: 0)! }

    static func decode(_ row: borrowing RowReader) throws -> Cased {
        var object = Cased(try row.read(0, default: fallback))
        object.id = row.id
        object.plain = try row.read(1)
        object.orNil = try row.read(2)
        object.list = try row.read(3)
        object.set = try row.read(4)
        object.map = try row.read(5)
        object.listOrNil = try row.read(6)
        object.note = try row.read(7)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(withDefault, at: 0, default: Self.fallback)
        try row.write(plain, at: 1)
        try row.write(orNil, at: 2)
        try row.write(list, at: 3)
        try row.write(set, at: 4)
        try row.write(map, at: 5)
        try row.write(listOrNil, at: 6)
        try row.write(note, at: 7)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
