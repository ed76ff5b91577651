@testable import Archive
import Testing

@Suite struct DebianPackageTests {
    private func package(_ text: String) throws -> DebianPackage? {
        var paragraphs = Paragraphs(Array(text.utf8))
        return try paragraphs.next().map { try DebianPackage($0, list: "test") }
    }

    @Test func `fields become properties of their types`() throws {
        let package = try package(
            """
            Package: tool
            Version: 1:2.0-3
            Architecture: all
            Installed-Size: 12
            Size: 3456
            Description: a tool
            SHA256: 00ff7a
            """)
        #expect(
            package
                == DebianPackage(
                    list: "test", name: "tool", version: "1:2.0-3", architecture: "all",
                    summary: "a tool", installedSizeKiB: 12, size: 3456, sha256: [0, 255, 122]))
    }

    @Test func `rare fields and values that do not fit are kept as text`() throws {
        let package = try package(
            "Package: a\nVersion: 1\nArchitecture: all\nSize: big\nMD5sum: 0g\nGhc-Package: x\n")
        #expect(package?.size == nil)
        #expect(package?.md5 == nil)
        #expect(package?.others == "Size: big\nMD5sum: 0g\nGhc-Package: x\n")
    }

    @Test func `a paragraph without a version is refused with its line`() {
        let error = #expect(throws: ArchiveError.self) {
            try package("Package: a\nArchitecture: all\n")
        }
        #expect(error?.description.contains("line 1:") == true)
    }

    @Test(arguments: [[], [0], [0x0f, 0xa0, 0xff]] as [[UInt8]])
    func `hexadecimal digits and bytes are the same thing`(bytes: [UInt8]) {
        #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
    }

    @Test(arguments: ["0", "0g", "zz", "é"])
    func `what is not pairs of hexadecimal digits is refused`(text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }
}
