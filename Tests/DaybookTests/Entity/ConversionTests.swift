@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

/// Enums, converters, and values stored as JSON.
@Suite struct ConversionTests {
    private let directory = TemporaryDirectory()

    private func open<E: Entity>(_ type: E.Type) throws -> (Store, Box<E>) {
        let store = try Store(directory: directory.url, entities: type)
        return (store, store.box(for: type))
    }

    @Test func `converted values are unchanged after reopening`() throws {
        var (store, box) = try open(Converted.self)
        var nested = Settings(isDark: true, sizes: ["é": .infinity, "b": 0.1])
        nested.parent = [Settings()]
        let objects = [
            Converted(),
            Converted(
                role: .admin, number: 255, words: ["a", "b"], settings: nested, other: Settings(),
                exactOrNil: Date(timeIntervalSinceReferenceDate: -800_000_000.987_654_3)),
        ]
        var stored = objects
        try box.put(&stored)
        #expect(try box.all() == stored)
        try store.close()
        (store, box) = try open(Converted.self)
        #expect(try box.all() == stored)
        #expect(stored.map(\.role) == [.none, .admin])
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `a missing value is nil for a converter that accepts nil, else the type's zero`()
        throws
    {
        let shape = EntityDescription("Converted", [])
        var store = try Store(directory: directory.url, entities: Nameless.self)
        #expect(shape.properties.isEmpty)
        try store.box(for: Nameless.self).put(Nameless())
        try store.close()
        store = try Store(directory: directory.url, entities: Converted.self)
        let found = try #require(try store.box(for: Converted.self).get(1))
        #expect(found.role == .none)
        #expect(found.number == -1)
        #expect(found.words == [])
        #expect(found.settings == Settings())
        #expect(found.other == nil)
        #expect(found.exact == Date(timeIntervalSince1970: 0))
        try store.close()
    }

    @Test func `JSON that is missing, or of another type, is a typed error`() throws {
        let store = try Store(directoryPath: "memory:json", entities: Encoded.self)
        let box = store.box(for: Encoded.self)
        let id = try box.put(Encoded(text: "1"))
        expectError(.invalidValue) { _ = try box.get(id) }
        let empty = try box.put(Encoded(text: nil))
        expectError(.invalidValue) { _ = try box.get(empty) }
        let good = try box.put(Encoded(text: #"{"isDark":true,"parent":[],"sizes":{}}"#))
        #expect(try box.get(good)?.settings == Settings(isDark: true))
        try store.close()
    }

    @Test func `a converter that uses the store gets an error, and nothing is written`() throws {
        let store = try Store(directory: directory.url, entities: Meddling.self)
        let box = store.box(for: Meddling.self)
        Meddling.meddle.withLock { $0 = { _ = try box.count() } }
        expectError(.insideConversion) { _ = try box.put(Meddling()) }
        Meddling.meddle.withLock { $0 = { try store.write {} } }
        expectError(.insideConversion) { _ = try box.put(Meddling()) }
        Meddling.meddle.withLock { $0 = nil }
        #expect(try box.isEmpty())
        let id = try box.put(Meddling())
        Meddling.meddle.withLock { $0 = { _ = try box.get(1) } }
        expectError(.insideConversion) { _ = try box.get(id) }
        expectError(.insideConversion) { _ = try box.all() }
        Meddling.meddle.withLock { $0 = nil }
        #expect(try box.get(id) != nil)
        try store.close()
    }

    @Test func `enum cases are unchanged in every kind of property`() throws {
        var (store, box) = try open(Cased<Role>.self)
        var object = Cased(Role.admin)
        object.orNil = .author
        object.list = [.admin, .none, .admin]
        object.set = [.author, .admin]
        object.map = ["a": .admin]
        object.listOrNil = []
        var objects = [object, Cased(Role.none)]
        try box.put(&objects)
        try store.close()
        (store, box) = try open(Cased<Role>.self)
        #expect(try box.all() == objects)
        try store.close()
    }

    @Test func `an unknown raw value reads as the fallback and stays stored`()
        throws
    {
        var object = Cased(Role.admin)
        object.orNil = .admin
        object.list = [.admin, .author]
        object.set = [.author, .admin]
        object.map = ["a": .admin, "b": .author]
        object.listOrNil = [.admin]
        var (store, box) = try open(Cased<Role>.self)
        try box.put(&object)
        try store.close()

        // An earlier version reads it, changes another property, and puts it back.
        let (earlier, earlierBox) = try open(Cased<EarlierRole>.self)
        var seen = try #require(try earlierBox.get(object.id))
        #expect(seen.withDefault == .author, "the default")
        #expect(seen.plain == .none, "the case of raw value zero")
        #expect(seen.orNil == nil)
        #expect(seen.list == [.none, .author])
        #expect(seen.set == [.none, .author])
        #expect(seen.map == ["a": .none, "b": .author])
        #expect(seen.listOrNil == [.none])
        seen.note = "seen"
        try earlierBox.put(&seen)
        try earlierBox.put([seen])
        try earlier.close()

        (store, box) = try open(Cased<Role>.self)
        object.note = "seen"
        #expect(try box.get(object.id) == object)
        try store.close()
    }

    @Test func `an enum with an explicit conformance behaves like other enums`() throws {
        let texts = try Store(directory: directory.url, entities: Holder<[String?]>.self)
        try texts.box().put(Holder(value: ["small", "huge", nil]))
        try texts.close()
        let store = try Store(directory: directory.url, entities: Holder<[Stated?]>.self)
        let box = store.box(for: Holder<[Stated?]>.self)
        let found = try #require(try box.get(1))
        #expect(found.value == [.small, nil, nil])
        try box.put(found)
        try store.close()
        let again = try Store(directory: directory.url, entities: Holder<[String?]>.self)
        #expect(try again.box(for: Holder<[String?]>.self).get(1)?.value == ["small", "huge", nil])
        try again.close()
    }

    private enum Stated: String, PropertyValue {
        case small
    }

    @Test func `a value that cannot be encoded is a typed error with its cause`() throws {
        let store = try Store(directoryPath: "memory:unencodable", entities: Unencodable.self)
        let error = expectError(.invalidValue) { try store.box().put(Unencodable()) }
        #expect(error?.cause is Refusal)
        try store.close()
    }

    @Test func `an unknown raw value is replaced by a new value`() throws {
        var (store, box) = try open(Cased<Role>.self)
        var object = Cased(Role.admin)
        object.list = [.admin]
        object.orNil = .admin
        try box.put(&object)
        try store.close()
        let (earlier, earlierBox) = try open(Cased<EarlierRole>.self)
        var seen = try #require(try earlierBox.get(object.id))
        seen.withDefault = .none
        seen.plain = .author
        seen.orNil = .author
        seen.list = [.none, .none]
        try earlierBox.put(&seen)
        try earlier.close()
        (store, box) = try open(Cased<Role>.self)
        let found = try #require(try box.get(object.id))
        #expect(found.withDefault == .none)
        #expect(found.plain == .author)
        #expect(found.orNil == .author)
        #expect(found.list == [.none, .none])
        try store.close()
    }

    @Test
    func `an unknown raw value of an enum without a zero case gives the first case or an error`()
        throws
    {
        let texts = try Store(directory: directory.url, entities: Holder<String>.self)
        try texts.box().put(Holder(value: "purple"))
        try texts.close()
        let colours = try Store(directory: directory.url, entities: HolderOfCase<Colour>.self)
        #expect(try colours.box(for: HolderOfCase<Colour>.self).get(1)?.value == .red)
        try colours.close()
        let sizes = try Store(directory: directory.url, entities: HolderOfCase<Size>.self)
        let box = sizes.box(for: HolderOfCase<Size>.self)
        expectError(.invalidValue) { _ = try box.get(1) }
        try sizes.close()
    }

    private enum Size: String {
        case small, large
    }
}

/// An entity called `Converted` without properties.
struct Nameless: Entity {
    var entityId: Id = 0
    static let entityDescription = EntityDescription("Converted", [])
    static func decode(_ row: borrowing RowReader) throws -> Nameless { Nameless(entityId: row.id) }
    func encode(into row: inout RowWriter) throws {}
}

/// An entity that is written as a string and read as JSON.
struct Encoded: Entity {
    var entityId: Id = 0
    var text: String?
    var settings = Settings()
    static let entityDescription = EntityDescription("Encoded", [.encoded("settings")])
    static func decode(_ row: borrowing RowReader) throws -> Encoded {
        Encoded(entityId: row.id, settings: try row.readEncoded(0))
    }
    func encode(into row: inout RowWriter) throws {
        guard let text else { return try row.writeEncoded(Settings?.none, at: 0) }
        try row.encoder.set(text: text, at: 0)
    }
}

/// An entity whose value fails to encode.
struct Unencodable: Entity {
    struct Value: Encodable {
        func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    var entityId: Id = 0
    static let entityDescription = EntityDescription("Unencodable", [.encoded("value")])
    static func decode(_ row: borrowing RowReader) throws -> Unencodable { Unencodable() }
    func encode(into row: inout RowWriter) throws { try row.writeEncoded(Value(), at: 0) }
}

/// `Holder<String>` in a program that reads its strings as enum cases.
struct HolderOfCase<Case: RawRepresentable>: Entity where Case.RawValue == String {
    var entityId: Id = 0
    var value: Case
    static var entityDescription: EntityDescription {
        EntityDescription("Holder", [.property("value", Case.self)])
    }
    static func decode(_ row: borrowing RowReader) throws -> HolderOfCase {
        HolderOfCase(entityId: row.id, value: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(value, at: 0) }
}

/// An entity whose converter runs a closure of the test.
struct Meddling: Entity {
    static let meddle = Mutex<(@Sendable () throws -> Void)?>(nil)
    var entityId: Id = 0
    static let entityDescription = EntityDescription(
        "Meddling", [.converted("value", to: Int.self)])

    private static func convert(_ number: Int?) throws -> Int {
        try meddle.withLock { $0 }?()
        return number ?? 0
    }
    static func decode(_ row: borrowing RowReader) throws -> Meddling {
        _ = try row.read(0, converting: Int.self, with: convert)
        return Meddling(entityId: row.id)
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(1, at: 0, converting: Int.self, with: Self.convert)
    }
}
