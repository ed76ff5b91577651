import Daybook
import DaybookTestSupport
import Testing

/// References by id.
@Suite struct ToOneTests {
    @Test func `a reference comes back as the id that it was put with`() throws {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: Holder<ToOne<Note>>.self)
        try store.box().put(
            Holder(value: ToOne<Note>(targetId: 7)), Holder(value: ToOne<Note>(targetId: nil)),
            Holder(value: ToOne<Note>(targetId: .init(.max - 1))))
        try store.close()
        store = try Store(directory: directory.url, entities: Holder<ToOne<Note>>.self)
        let found = try store.box(for: Holder<ToOne<Note>>.self).all().map(\.value)
        #expect(found.map(\.targetId) == [7, nil, .init(.max - 1)])
        #expect(found.map(\.hasValue) == [true, false, true])
        #expect(found[0] == ToOne(targetId: 7))
        try store.close()
    }

    @Test func `to lead to an object that is not stored yet is refused by name`() throws {
        let store = try Store(directoryPath: "memory:unsaved", entities: Holder<ToOne<Note>>.self)
        let box = store.box(for: Holder<ToOne<Note>>.self)
        let error = expectError(.cannotRelateToUnsaved) {
            try box.put(Holder(value: ToOne(targetId: 0)))
        }
        #expect(error?.details["property"] == "value")
        #expect(try box.isEmpty())
        try store.close()
    }

    @Test func `in an object that is older than the reference it leads nowhere`() throws {
        let directory = TemporaryDirectory()
        let earlier = try Store(directory: directory.url, entities: Bare.self)
        try earlier.box().put(Bare())
        try earlier.close()
        let store = try Store(directory: directory.url, entities: Holder<ToOne<Note>>.self)
        #expect(try store.box(for: Holder<ToOne<Note>>.self).get(1)?.value.hasValue == false)
        try store.close()
    }
}
