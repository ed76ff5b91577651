@testable import Archive
import Testing

@Suite struct ListingTests {
    private func listing(_ text: String) throws -> Listing? {
        var paragraphs = Paragraphs(Array(text.utf8))
        return try paragraphs.next().map { try Listing($0, list: "test") }
    }

    @Test func `fields become properties of their types`() throws {
        let listing = try listing(
            """
            Package: tool
            Version: 1:2.0-3
            Architecture: all
            Installed-Size: 12
            Size: 3456
            Maintainer: Ada <ada@example.org>
            Section: contrib/net
            Description: a tool
            SHA256: 00ff7a
            """)
        #expect(
            listing?.fields
                == PackageFields(
                    list: "test", name: "tool", version: "1:2.0-3", architecture: "all",
                    summary: "a tool", installedSizeKiB: 12, size: 3456, sha256: [0, 255, 122]))
        #expect(listing?.maintainer == "Ada <ada@example.org>")
        #expect(listing?.section == "contrib/net")
    }

    @Test func `rare fields and values in other formats are kept as text`() throws {
        let fields = try listing(
            "Package: a\nVersion: 1\nArchitecture: all\nSize: big\nMD5sum: 0g\nGhc-Package: x\n"
        )?.fields
        #expect(fields?.size == nil)
        #expect(fields?.md5 == nil)
        #expect(fields?.others == "Size: big\nMD5sum: 0g\nGhc-Package: x\n")
    }

    @Test func `a paragraph without a version is refused with its line`() {
        let error = #expect(throws: ArchiveError.self) {
            try listing("Package: a\nArchitecture: all\n")
        }
        #expect(error?.description.contains("line 1:") == true)
    }

    @Test(arguments: [[], [0], [0x0f, 0xa0, 0xff]] as [[UInt8]])
    func `decoding the hexadecimal digits of bytes gives the same bytes`(bytes: [UInt8]) {
        #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
    }

    @Test(arguments: ["0", "0g", "zz", "é"])
    func `strings other than pairs of hexadecimal digits are refused`(text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }
}
