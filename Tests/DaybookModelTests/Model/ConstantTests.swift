#if Macros
import DaybookModel
import SwiftDiagnostics
import Testing

/// Structs with constants, and annotations of ObjectBox that change nothing in a local store.
@Suite struct ConstantTests {
    @Test func `a constant of a struct without a value is stored`() throws {
        let model = try #require(
            try ReadSource(
                """
                @Entity struct Building {
                    let id: EntityId<Building>
                    let name: String, number: Int
                    let constant = 7
                    var note = ""
                    @Transient lazy var length = note.count
                    let owner: ToOne<Person>
                }
                """
            ).model)
        #expect(model.properties.map(\.name) == ["name", "number", "note", "owner"])
        #expect(model.descriptors.map(\.name) == ["id", "name", "number", "note", "owner"])
        #expect(model.copiedProperties == ["name", "number", "note", "owner"])
        let variable = try ReadSource("@Entity struct A { var id: Id = 0; let b: Int }").model
        #expect(variable?.copiedProperties == nil && variable?.properties.count == 1)
    }

    @Test func `a change of a constant id replaces the struct by a copy`() {
        let expanded = ExpandedSource("@Entity public struct A { let id: Id; let b: Int }")
        #expect(
            expanded.text.contains(
                """
                    public var entityId: Daybook.Id {
                        get { self.id.objectId }
                        set { self = Self(copying: self, entityId: newValue) }
                    }

                    private init(copying other: Self, entityId: Daybook.Id) {
                        self.id = .init(objectId: entityId)
                        self.b = other.b
                    }
                """))
    }

    @Test(arguments: ["Data", "Data?", "[UInt8]", "[UInt8]?"])
    func `bytes may be of any type`(type: String) throws {
        for comment in ["flex", "type = \"flex\""] {
            let source =
                "@Entity struct A {\nvar id: Id = 0\n// objectbox: \(comment)\nvar b: \(type) }"
            let reading = try ReadSource(source)
            #expect(reading.problems == [] && reading.model?.properties[0].conversion == nil)
        }
        let other = try ReadSource(
            "@Entity struct A {\nvar id: Id = 0\n// objectbox: flex\nvar b: [String] }")
        #expect(
            other.model == nil
                && other.problems == [
                    "4:5 annotation 'flex' in a comment: it is for bytes: Data or [UInt8]. For"
                        + " other types write 'encoded', which stores a Codable value as JSON"
                ])
    }

    @Test func `annotations of synchronisation are warnings`() throws {
        let reading = try ReadSource(
            """
            // objectbox: entity, sync = {"sharedGlobalIds": true}, externalName = "a"
            class A {
                var id: Id = 0
                // objectbox: syncClock
                var b: Int = 0
                // objectbox: externalType = "uuid", syncPrecedence
                var c: Int = 0
            }
            """, placement: .otherFile)
        #expect(reading.problems.count == 5)
        #expect(reading.problems.allSatisfy { $0.contains("has no effect") })
        #expect(reading.model?.properties.map(\.name) == ["b", "c"])
    }
}
#endif
