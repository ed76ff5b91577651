import DaybookBytes
import DaybookRecords
import Testing

/// Keys of maps of objects as positions.
@Suite struct LinkKeyTests {
    @Test(arguments: ["", "a", "a\0", "\0", "\u{1}", "字𝔘", String(repeating: "k", count: 254)])
    func `a key is a valid position, and is read from it`(_ key: String) throws {
        let position = try #require(LinkKey.position(of: key))
        #expect(ListPosition.isValid(position))
        #expect(LinkKey.key(of: position).map { Array($0.utf8) } == Array(key.utf8))
    }

    @Test func `a key has at most 254 bytes`() throws {
        let key = String(repeating: "k", count: 255)
        #expect(LinkKey.position(of: key) == nil)
        let error = #expect(throws: DaybookError.self) {
            try LinkKey.requirePosition(of: key, in: "shelf")
        }
        #expect(error?.code == .invalidValue && error?.details["property"] == "shelf")
        #expect(try LinkKey.requirePosition(of: "k", in: "shelf") == [107, 1])
    }

    @Test(arguments: [[], [0], [107], [107, 2], [0xFF, 1], [UInt8](repeating: 1, count: 256)])
    func `other positions are not keys`(_ position: [UInt8]) {
        #expect(LinkKey.key(of: position) == nil)
    }
}
