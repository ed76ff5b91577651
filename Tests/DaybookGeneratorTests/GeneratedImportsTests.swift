#if Macros
import Testing

@Suite struct GeneratedImportsTests {
    private let note = "struct Note: Entity { var id: Id = 0 }"

    @Test func `the imports of entity files are generated once and sorted`() {
        let module = GeneratedModule([
            "A.swift": "import Foundation\nimport Daybook\n\(note)",
            "B.swift": "@testable import Models\nimport struct Sizes.Size\nimport Foundation\n"
                + "@_exported import Base\nstruct B: Entity { var id: Id = 0 }",
            "C.swift": "@preconcurrency import Models\nstruct C: Entity { var id: Id = 0 }",
            "D.swift": "import Unneeded\nstruct D {}",
        ])
        #expect(
            module.imports == [
                "import Daybook", "import Base", "import Foundation",
                "@preconcurrency @testable import Models", "import struct Sizes.Size",
            ])
    }

    @Test func `a conditional import is copied with its condition`() {
        let module = GeneratedModule(
            """
            #if canImport(FoundationEssentials)
            public import FoundationEssentials
            #else
            import Foundation
            #endif
            #if DEBUG
            let a = 1
            #endif
            \(note)
            """)
        #expect(
            module.text?.contains(
                """

                #if canImport(FoundationEssentials)
                internal import FoundationEssentials
                #else
                import Foundation
                #endif

                """) == true)
        #expect(module.text?.contains("DEBUG") == false)
    }

    @Test(arguments: [
        ("import Daybook", "", "import Daybook"), ("", "public", "import Daybook"),
        ("public import Daybook", "public", "public import Daybook"),
        ("public import Daybook", "", "internal import Daybook"),
        ("package import Daybook", "package", "package import Daybook"),
        ("internal import Daybook", "", "internal import Daybook"),
    ])
    func `Daybook is imported with the access that the module and the entities need`(
        line: String, access: String, expected: String
    ) {
        let module = GeneratedModule("\(line)\n\(access) \(note)")
        #expect(module.imports == [expected])
    }

    @Test(arguments: ["DaybookObjectBox", "DaybookRealm"])
    func `the generated file imports the product that the model imports`(product: String) {
        let module = GeneratedModule("import \(product)\n\(note)")
        #expect(module.imports == ["import \(product)"])
    }

    @Test func `an import with an access level becomes internal`() {
        let module = GeneratedModule("import Daybook\npublic import Foundation\n\(note)")
        #expect(module.imports == ["import Daybook", "internal import Foundation"])
    }
}
#endif
