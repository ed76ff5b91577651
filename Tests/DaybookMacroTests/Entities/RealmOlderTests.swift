#if Macros
import Daybook
import DaybookRealm
import Foundation
import Testing

/// Classes in the declaration style before `@Persisted`.
@Suite struct RealmOlderTests {
    private let directory = TemporaryDirectory()
    private let store: Store

    init() throws { store = try Store(directory: directory.url, entities: Kitten.self) }

    private var kittens: Box<Kitten> { store.box() }

    @Test func `constants of an older declaration are stored, and are read into the same objects`()
        throws
    {
        let (tom, kit) = (Kitten("tom"), Kitten("kit"))
        (tom.age.value, tom.weight.value) = (3, 2.5)
        tom.nicknames.append(objectsIn: ["t", "tt"])
        tom.friends.append(objectsIn: [kit, kit])
        tom.rivals.insert(tom)
        tom.byPlace["sofa"] = kit
        try kittens.put(tom)
        try store.close()
        let again = try Store(directory: directory.url, entities: Kitten.self)
        let box = again.box(for: Kitten.self)
        let found = try #require(try box.get(key: "tom"))
        #expect(found.age.value == 3 && found.weight.value == 2.5)
        #expect(Array(found.nicknames) == ["t", "tt"])
        #expect(found.friends.map(\.tag) == ["kit", "kit"])
        #expect(found.rivals.map(\.tag) == ["tom"])
        #expect(found.byPlace["sofa"]??.tag == "kit")
        #expect(found.draft == "not stored")
        let other = try #require(try box.get(key: "kit"))
        #expect(other.admirers.map(\.tag) == ["tom"] && other.age.value == nil)
        #expect(other.admirers.originProperty == "friends")
        other.age.value = 1
        found.friends.removeLast()
        try box.put([other, found])
        #expect(try box.get(key: "kit")?.age.value == 1)
        #expect(try box.get(key: "tom")?.friends.count == 1)
        try again.close()
    }

    @Test
    func
        `functions of an older declaration name the key, indexes and unstored properties`()
        throws
    {
        #expect(Kitten.primaryKey() == "tag" && Object.primaryKey() == nil)
        #expect(Object.indexedProperties() == [] && Object.ignoredProperties() == [])
        #expect(EmbeddedObject.ignoredProperties() == [])
        let schema = try #require(try store.schema["Kitten"])
        #expect(schema.primaryKey == ["tag"] && schema.property(named: "draft") == nil)
        #expect(
            schema.indexes.map(\.properties).sorted { $0[0] < $1[0] } == [
                ["age"], ["name"], ["tag"],
            ])
        for (tag, age) in [("a", 1), ("b", 5), ("c", nil)] as [(String, Int?)] {
            let kitten = Kitten(tag)
            kitten.age.value = age
            try kittens.put(kitten)
        }
        let old = kittens.query { $0.age > 3 && $0.weight == nil }
        #expect(try old.find().map(\.tag) == ["b"])
        #expect(try kittens.query { $0.friends.count == 0 && $0.age == nil }.count() == 1)
        try store.close()
    }
}
#endif
