@testable import Daybook
@testable import DaybookRealm
import Foundation
import Testing

@Suite struct RealmObjectIdTests {
    @Test func `ids from many threads are all different`() async {
        let ids = await withTaskGroup(of: [ObjectId].self) { group in
            for _ in 0..<8 { group.addTask { (0..<5000).map { _ in ObjectId() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 40_000)
        #expect(Set(ids.map(\.description)).count == 40_000)
    }

    @Test func `ids and their strings sort by creation`() {
        let ids = (0..<1000).map { _ in ObjectId.generate() }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
        let (old, young) = (
            ObjectId(at: Date(timeIntervalSince1970: 1)),
            ObjectId(at: Date(timeIntervalSince1970: 2))
        )
        #expect(old < young && !(young < old))
    }

    @Test func `an id equals its 24 hexadecimal digits`() throws {
        let text = "507f1f77bcf86cd799439011"
        let id = try ObjectId(string: text)
        #expect(id.description == text && id.stringValue == text && ObjectId(text) == id)
        #expect(ObjectId(text.uppercased()) == id)
        #expect(id.timestamp == Date(timeIntervalSince1970: 0x507f_1f77))
        #expect(ObjectId.zero.description == "000000000000000000000000")
        let id2 = ObjectId()
        #expect(ObjectId(id2.description) == id2)
        #expect(abs(id2.timestamp.timeIntervalSinceNow) < 60)
        let encoded = try JSONEncoder().encode([id])
        #expect(String(decoding: encoded, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([ObjectId].self, from: encoded) == [id])
    }

    @Test(arguments: [
        "", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111", "+07f1f77bcf86cd7",
        "507f1f77bcf86cd79943901g", "507f1f77bcf86cd79943901é", "507f1f77bcf86cd7994390é",
    ])
    func `any other string is not an id`(text: String) {
        #expect(ObjectId(text) == nil)
        expectError(.invalidArgument) { _ = try ObjectId(string: text) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ObjectId].self, from: try JSONEncoder().encode([text]))
        }
    }
}
