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

    @Test func `a put returns a typed id unless the context requires a plain one`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        let notes = store.box(for: Note.self)
        let typed = try notes.put(Note(text: "a"))
        let value: UInt64 = typed.value
        let same: EntityId<Note> = typed
        let plain: Id = try notes.put(Note(text: "b"))
        let several = try notes.put([Note(text: "c"), Note(text: "d")])
        let first: EntityId<Note>? = several.first
        #expect(value == 1 && same == 1 && plain == 2 && first == 3)
        #expect(try notes.get(typed)?.text == "a" && notes.get(several).count == 2)
        store.close()
    }
}
