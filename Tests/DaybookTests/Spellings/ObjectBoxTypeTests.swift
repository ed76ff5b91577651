import DaybookObjectBox
import Foundation
import Testing

/// ObjectBox's generic types of properties and ids. This file imports `DaybookObjectBox` only, as a
/// program that comes from ObjectBox does.
@Suite struct ObjectBoxTypeTests {
    @Test func `functions take properties as ObjectBox declares their types`() throws {
        func names(above limit: Int32, _ property: Property<Item, Int32, Void>) throws -> [String] {
            try items.query { property > limit && property.isLessThan(9) }.build().find()
                .map(\.name)
        }
        func values<T>(_ property: Property<Item, T, Void>) throws -> [T] {
            try items.query().build().property(property).find()
        }
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Item.self)
        let items = store.box(for: Item.self)
        for size in 1...5 {
            var item = Item()
            (item.name, item.size) = ("item \(size)", Int32(size))
            try items.put(item)
        }
        let size: ValueProperty<Item, Int32> = Item.size
        #expect(try names(above: 3, size) == ["item 4", "item 5"])
        #expect(try values(size) == [1, 2, 3, 4, 5] && values(Item.name).last == "item 5")
        store.close()
    }

    @Test func `a put returns the declared type of the id`() throws {
        let store = try Store(
            directoryPath: "memory:\(UUID())", entities: Note.self, Stamped.self)
        let notes = store.box(for: Note.self)
        let plain = try notes.put(Note(text: "a"))
        let number: UInt64 = plain
        #expect(number == 1 && plain == 1)
        let stamps = store.box(for: Stamped.self)
        let typed = try stamps.put(Stamped())
        let same: EntityId<Stamped> = typed
        let forced: Id = try stamps.put(Stamped())
        let several = try stamps.put([Stamped(), Stamped()])
        let first: EntityId<Stamped>? = several.first
        #expect(typed.value == 1 && same == 1 && forced == 2 && first == 3)
        #expect(try stamps.put(Stamped(), Stamped()) == [5, 6])
        #expect(try stamps.get(typed)?.id == typed && stamps.get(several).count == 2)
        store.close()
    }
}

/// An entity whose id has a type of its own.
private struct Stamped: Entity {
    typealias EntityIdType = EntityId<Stamped>
    var id: EntityId<Stamped> = 0

    static let entityDescription = EntityDescription("Stamped", [])
    static func decode(_ row: borrowing RowReader) throws -> Stamped {
        Stamped(id: EntityId(row.id))
    }
    func encode(into row: inout RowWriter) throws {}
    var entityId: Id {
        get { id.value }
        set { id = EntityId(newValue) }
    }
}
