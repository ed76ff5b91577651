import Testing

/// The allowed imports: the architecture as a table. Log and records do not depend on each other;
/// only the engine uses both. Few places use the modules of the system.
@Suite struct ImportTests {
    /// A folder, and the modules that its files may import.
    static let table: [(folder: String, imports: Set<String>)] = [
        (
            "Sources/DaybookBytes",
            operatingSystem.union(["CZstd", "libzstd", "Synchronization", "Dispatch", "os"])
        ),
        ("Sources/DaybookTesting", operatingSystem.union(["DaybookBytes", "Synchronization"])),
        ("Sources/DaybookLog", ["DaybookBytes", "Synchronization", "Dispatch"]),
        ("Sources/DaybookPages", operatingSystem.union(["DaybookBytes", "Synchronization"])),
        ("Sources/DaybookRecords", ["DaybookPages", "DaybookBytes"]),
        (
            "Sources/DaybookEngine",
            [
                "DaybookLog", "DaybookRecords", "DaybookPages", "DaybookBytes", "Synchronization",
                "Dispatch",
            ]
        ),
        (
            "Sources/DaybookMaintenance",
            [
                "DaybookEngine", "DaybookLog", "DaybookRecords", "DaybookPages", "DaybookBytes",
                "Dispatch",
            ]
        ),
        (
            "Sources/DaybookQuery",
            ["DaybookEngine", "DaybookRecords", "DaybookBytes", "Dispatch", "Synchronization"]
        ),
        (
            "Sources/DaybookRows",
            ["DaybookQuery", "DaybookEngine", "DaybookRecords", "DaybookBytes"]
        ),
        (
            "Sources/Daybook/",
            [
                "DaybookRows", "DaybookQuery", "DaybookMaintenance", "DaybookEngine",
                "DaybookRecords", "DaybookBytes", "Foundation", "FoundationEssentials",
                "Synchronization", "Dispatch", "Observation", "SwiftUI",
            ]
        ),
        (
            "Sources/DaybookObservability",
            ["Daybook", "Logging", "CoreMetrics", "Synchronization"]
        ),
        ("Sources/DaybookObjectBox", ["Daybook", "Foundation", "Dispatch", "Combine"]),
        (
            "Sources/DaybookRealm",
            ["Daybook", "Foundation", "FoundationEssentials", "Synchronization", "Dispatch"]
        ),
        (
            "Sources/DaybookReplica/",
            ["Daybook", "DaybookMaintenance", "DaybookEngine", "DaybookLog", "DaybookBytes"]
        ),
        (
            "Sources/DaybookEvents/",
            [
                "Daybook", "DaybookRows", "DaybookEngine", "DaybookLog", "DaybookRecords",
                "DaybookBytes", "Foundation", "FoundationEssentials", "Synchronization",
            ]
        ),
        (
            "Sources/DaybookModel",
            ["SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftDiagnostics"]
        ),
        ("Sources/DaybookMacros", ["DaybookModel", "SwiftSyntaxMacros", "SwiftCompilerPlugin"]),
        ("Tools/generate/DaybookGenerate.swift", ["DaybookGeneration", "Foundation"]),
        (
            "Tools/generate/Generation",
            ["DaybookModel", "SwiftSyntax", "SwiftParser", "SwiftDiagnostics", "Foundation"]
        ),
        (
            "Tools/daybook",
            operatingSystem.union([
                "DaybookRows", "DaybookQuery", "DaybookMaintenance", "DaybookEngine",
                "DaybookRecords", "DaybookBytes", "ArgumentParser", "Dispatch", "Synchronization",
            ])
        ),
        (
            "Tools/fault",
            operatingSystem.union([
                "DaybookTesting",
                "DaybookMaintenance", "DaybookEngine", "DaybookRecords", "DaybookLog",
                "DaybookPages", "DaybookBytes",
                "Foundation", "Synchronization", "Dispatch",
            ])
        ),
        (
            "Replication/Sources/DaybookNATS",
            [
                "NIOCore", "NIOPosix", "NIOTLS", "NIOSSL", "Crypto", "Logging", "Foundation",
                "Synchronization",
            ]
        ),
        ("Replication/Sources/ReplicationSupport", ["Dispatch"]),
        (
            "Replication/Sources/DaybookArchive",
            [
                "ReplicationSupport", "DaybookReplica", "Daybook", "Crypto", "Foundation",
                "FoundationEssentials", "Synchronization",
            ]
        ),
        (
            "Replication/Sources/DaybookEventStream",
            [
                "DaybookNATS", "ReplicationSupport", "DaybookEvents", "Daybook", "NIOCore",
                "Crypto", "Synchronization",
            ]
        ),
        (
            "Replication/Sources/DaybookReplication",
            [
                "DaybookNATS", "ReplicationSupport", "DaybookReplica", "Daybook", "NIOCore",
                "NIOFoundationCompat", "Crypto", "Foundation", "FoundationEssentials",
                "Synchronization",
            ]
        ),
        (
            "Replication/Sources/DaybookS3",
            [
                "DaybookArchive", "Daybook", "AsyncHTTPClient", "NIOCore", "NIOHTTP1", "Crypto",
                "Foundation", "Synchronization",
            ]
        ),
        (
            "Replication/Tools/archive",
            [
                "CommandSupport", "DaybookArchive", "DaybookS3", "Daybook", "ArgumentParser",
                "Foundation",
            ]
        ),
        (
            "Browser/Sources/DaybookBrowser",
            [
                "Daybook", "Hummingbird", "HTTPTypes", "ServiceLifecycle", "NIOCore",
                "NIOPosix", "Logging", "Foundation", "Synchronization",
            ]
        ),
        (
            "Browser/Sources/DaybookBrowse",
            ["DaybookBrowser", "Daybook", "ArgumentParser", "SystemPackage", "Foundation"]
        ),
        ("Plugins/", plugins),
        (
            "Tools/benchmarks",
            operatingSystem.union([
                "Daybook", "Foundation", "Synchronization", "Dispatch", "CCounted", "CSQLite",
                "CLMDB", "PackageDescription",
            ])
        ),
    ]
    /// The modules that plugins use; plugins import no module of this package.
    static let plugins: Set<String> = ["PackagePlugin", "XcodeProjectPlugin", "Foundation"]
    static let operatingSystem: Set<String> = ["Darwin", "Glibc", "Musl"]

    @Test func `every import is in the table`() {
        var found: [String] = []
        for file in SourceTree.sourcesAndTools {
            guard let allowed = Self.table.first(where: { file.path.hasPrefix($0.folder) }) else {
                found.append("\(file.path): no line of the table is for its folder")
                continue
            }
            for (index, module) in file.imports where !allowed.imports.contains(module) {
                found.append("\(file.place(index)) imports \(module)")
            }
        }
        #expect(found == [])
    }

    @Test func `the samples import the public module alone`() {
        let files = SourceTree.all.filter { $0.path.hasPrefix("Samples/") }
        let found = files.flatMap { file in
            file.imports.filter { $0.module.hasPrefix("Daybook") && $0.module != "Daybook" }
                .map { file.place($0.line) }
        }
        #expect(!files.isEmpty)
        #expect(found == [])
    }

    @Test func `imports are found with any modifiers and kinds`() {
        let file = SourceFile(
            path: "a.swift",
            text: """
                import A
                @testable package import B
                internal import struct C.D
                // import E
                """)
        #expect(file.imports.map(\.module) == ["A", "B", "C"])
    }
}

extension SourceFile {
    /// The imported modules and the lines of their imports.
    var imports: [(line: Int, module: String)] {
        code.enumerated().compactMap { index, line in
            let words = line.words
            guard let place = words.firstIndex(of: "import"),
                words[..<place].allSatisfy({ Self.importPrefixes.contains($0) })
            else { return nil }
            let names = words[(place + 1)...].drop { Self.importKinds.contains($0) }
            return names.first.map { (index, String($0)) }
        }
    }

    private static let importPrefixes: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate", "testable", "preconcurrency",
        "_exported", "_spi",
    ]
    private static let importKinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
}
