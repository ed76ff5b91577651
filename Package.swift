// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Targets are in dependency order: each one may depend only on targets above it. Log and records
// do not depend on each other; only the engine uses both. Users import Sources/Daybook.

/// Whether this is the build of `Tools/test`, in which warnings are errors. It also contains the
/// targets at the end of this file, which need more libraries than other builds.
let isChecked = Context.environment["DAYBOOK_CHECKS"] != nil

/// The settings of every target.
let warnings: [SwiftSetting] = isChecked ? [.treatAllWarnings(as: .error)] : []

/// The settings of every library module: Swift 6 mode, internal imports by default, and strict
/// memory safety.
let librarySettings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableExperimentalFeature("Lifetimes"),
        .strictMemorySafety(),
        .treatWarning("StrictMemorySafety", as: .error),
    ]

/// The checked build contains log messages and metrics without their trait. SwiftPM passes the names
/// of two enabled traits to the compiler in a random order, so each build would start from scratch.
let observability: TargetDependencyCondition? =
    isChecked ? nil : .when(traits: ["Observability"])
let observabilitySettings: [SwiftSetting] = isChecked ? [.define("Observability")] : []

/// A module of swift-syntax. Only a build with the trait `Macros` contains it.
func syntax(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

/// The settings of the tests: Swift 6 mode, without restricted imports.
let testSettings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableExperimentalFeature("Lifetimes"),
    ]

let package = Package(
    name: "daybook",
    // The first systems with `Synchronization`. The guide ApplePlatforms describes the rest.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Daybook", targets: ["Daybook"]),
        .library(name: "DaybookObservability", targets: ["DaybookObservability"]),
        .library(name: "DaybookObjectBox", targets: ["DaybookObjectBox"]),
        .library(name: "DaybookRealm", targets: ["DaybookRealm"]),
        .library(name: "DaybookReplica", targets: ["DaybookReplica"]),
        .library(name: "DaybookEvents", targets: ["DaybookEvents"]),
        .executable(name: "daybook", targets: ["DaybookCommand"]),
        .executable(name: "daybook-fault", targets: ["DaybookFault"]),
        .plugin(name: "DaybookGenerator", targets: ["DaybookGenerator"]),
    ],
    traits: [
        .trait(
            name: "Macros",
            description: "The @Entity macro. Builds swift-syntax; a conformance by hand needs none."
        ),
        .trait(
            name: "Observability",
            description: "Log messages and metrics of stores. Builds swift-log and swift-metrics."
        ),
        .trait(
            name: "BundledZstd",
            description: "Builds libzstd from its sources, for systems without the library."
        ),
        .default(enabledTraits: ["Macros"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/facebook/zstd", from: "1.5.6"),
    ],
    targets: [
        // The system's libzstd, unless the trait `BundledZstd` builds it.
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        // Byte encoding: spans, varints, checksums, compression; and the file system.
        .target(
            name: "DaybookBytes",
            dependencies: [
                .target(name: "CZstd", condition: .when(platforms: [.macOS, .linux])),
                .product(
                    name: "libzstd", package: "zstd", condition: .when(traits: ["BundledZstd"])),
            ],
            swiftSettings: librarySettings),
        // Fault injection and crash states, for tests and the fault campaign.
        .target(
            name: "DaybookTesting", dependencies: ["DaybookBytes"], swiftSettings: librarySettings),
        // The append-only log.
        .target(name: "DaybookLog", dependencies: ["DaybookBytes"], swiftSettings: librarySettings),
        // Pages and trees of sorted keys.
        .target(
            name: "DaybookPages", dependencies: ["DaybookBytes"], swiftSettings: librarySettings),
        // Records, rows, schemas and indexes.
        .target(
            name: "DaybookRecords", dependencies: ["DaybookPages", "DaybookBytes"],
            swiftSettings: librarySettings),
        // The engine, which combines log, pages and records.
        .target(
            name: "DaybookEngine",
            dependencies: ["DaybookLog", "DaybookRecords", "DaybookPages", "DaybookBytes"],
            swiftSettings: librarySettings),
        // Operations on whole stores: dump and load, verification, statistics.
        .target(
            name: "DaybookMaintenance",
            dependencies: [
                "DaybookEngine", "DaybookRecords", "DaybookPages", "DaybookLog", "DaybookBytes",
            ],
            swiftSettings: librarySettings),
        // Queries: conditions, plans and results over rows.
        .target(
            name: "DaybookQuery",
            dependencies: ["DaybookEngine", "DaybookRecords", "DaybookBytes"],
            swiftSettings: librarySettings),
        // Stores without types: the schema as a value, rows by name, import and export.
        .target(
            name: "DaybookRows",
            dependencies: ["DaybookQuery", "DaybookEngine", "DaybookRecords", "DaybookBytes"],
            swiftSettings: librarySettings),
        // Reads declarations as entity models and generates their code.
        .target(
            name: "DaybookModel",
            dependencies: [
                syntax("SwiftSyntax"),
                syntax("SwiftDiagnostics"),
                syntax("SwiftSyntaxBuilder"),
                syntax("SwiftSyntaxMacros"),
            ],
            swiftSettings: librarySettings),
        // The compiler plugin, a thin layer over DaybookModel.
        .macro(
            name: "DaybookMacros",
            dependencies: [
                "DaybookModel",
                syntax("SwiftSyntaxMacros"),
                syntax("SwiftCompilerPlugin"),
            ],
            swiftSettings: librarySettings),
        // The public module.
        .target(
            name: "Daybook",
            dependencies: [
                "DaybookRows", "DaybookQuery", "DaybookMaintenance", "DaybookEngine",
                "DaybookRecords", "DaybookBytes",
                .target(name: "DaybookMacros", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: librarySettings),
        // Log messages and metrics from the events of stores.
        .target(
            name: "DaybookObservability",
            dependencies: [
                "Daybook",
                .product(name: "Logging", package: "swift-log", condition: observability),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: observability),
            ],
            swiftSettings: librarySettings + observabilitySettings),
        // ObjectBox's names of operations, for models and programs written for ObjectBox.
        .target(
            name: "DaybookObjectBox", dependencies: ["Daybook"], swiftSettings: librarySettings),
        // Realm's types, for model files written for Realm.
        .target(name: "DaybookRealm", dependencies: ["Daybook"], swiftSettings: librarySettings),
        // The interface between a store and a program that carries its log to other machines.
        .target(
            name: "DaybookReplica",
            dependencies: [
                "Daybook", "DaybookMaintenance", "DaybookEngine", "DaybookLog", "DaybookBytes",
            ],
            swiftSettings: librarySettings),
        // Events of many stores in one.
        .target(
            name: "DaybookEvents",
            dependencies: [
                "Daybook", "DaybookRows", "DaybookEngine", "DaybookLog", "DaybookRecords",
                "DaybookBytes",
            ],
            swiftSettings: librarySettings),
        // The command and the fault campaigns depend on the engine, not on entity types.
        .executableTarget(
            name: "DaybookCommand",
            dependencies: [
                "DaybookRows", "DaybookQuery", "DaybookMaintenance", "DaybookEngine",
                "DaybookRecords", "DaybookBytes",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/daybook", swiftSettings: librarySettings),
        .executableTarget(
            name: "DaybookFault",
            dependencies: [
                "DaybookTesting", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookLog", "DaybookBytes",
            ],
            path: "Tools/fault", swiftSettings: librarySettings),
        // Generates the same code as the macros, for sources without macros.
        .target(
            name: "DaybookGeneration",
            dependencies: [
                "DaybookModel",
                syntax("SwiftSyntax"),
                syntax("SwiftDiagnostics"),
                syntax("SwiftParser"),
            ],
            path: "Tools/generate/Generation", swiftSettings: librarySettings),
        // The generator program, and the plugin that runs it before a target is compiled.
        .executableTarget(
            name: "DaybookGenerate", dependencies: ["DaybookGeneration"], path: "Tools/generate",
            exclude: ["Generation"], swiftSettings: librarySettings),
        .plugin(
            name: "DaybookGenerator", capability: .buildTool(),
            dependencies: ["DaybookGenerate"]),
        // Shared by several test targets: seeds, directories, test file systems, checked stores.
        .target(
            name: "DaybookTestSupport",
            dependencies: [
                "DaybookMaintenance", "DaybookEngine", "DaybookRecords", "DaybookPages",
                "DaybookLog", "DaybookBytes",
            ],
            path: "Tests/Support",
            swiftSettings: testSettings + [.enableUpcomingFeature("InternalImportsByDefault")]),
        // Realm models, for the tests of Daybook and of DaybookRealm.
        .target(
            name: "DaybookRealmModels", dependencies: ["DaybookRealm"], path: "Tests/RealmModels",
            swiftSettings: testSettings),
        // One test target per module, in the same order.
        .testTarget(
            name: "DaybookBytesTests", dependencies: ["DaybookTesting", "DaybookBytes"],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookLogTests",
            dependencies: ["DaybookTesting", "DaybookLog", "DaybookBytes", "DaybookTestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookPagesTests",
            dependencies: ["DaybookTesting", "DaybookPages", "DaybookBytes", "DaybookTestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookRecordsTests",
            dependencies: [
                "DaybookTesting", "DaybookRecords", "DaybookPages", "DaybookBytes",
                "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookEngineTests",
            dependencies: [
                "DaybookTesting", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookPages", "DaybookLog", "DaybookBytes", "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookMaintenanceTests",
            dependencies: [
                "DaybookTesting", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookPages", "DaybookLog", "DaybookBytes", "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookQueryTests",
            dependencies: [
                "DaybookTesting", "DaybookQuery", "DaybookEngine", "DaybookRecords", "DaybookLog",
                "DaybookPages", "DaybookBytes", "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookTests",
            dependencies: [
                "DaybookTesting", "Daybook", "DaybookObjectBox", "DaybookRealm", "DaybookEvents",
                "DaybookRows", "DaybookQuery", "DaybookMaintenance", "DaybookEngine",
                "DaybookRecords", "DaybookLog", "DaybookBytes", "DaybookRealmModels",
                "DaybookTestSupport",
            ],
            // The overloads of `DaybookObjectBox` must not change the tests of `Daybook`.
            swiftSettings: testSettings + [.enableUpcomingFeature("MemberImportVisibility")]),
        .testTarget(
            name: "DaybookRowsTests",
            dependencies: [
                "DaybookTesting", "Daybook", "DaybookRows", "DaybookEngine", "DaybookRecords",
                "DaybookBytes", "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookRealmTests",
            dependencies: [
                "DaybookTesting", "DaybookRealm", "Daybook", "DaybookEngine", "DaybookRecords",
                "DaybookBytes", "DaybookRealmModels", "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookModelTests",
            dependencies: [
                "DaybookModel",
                syntax("SwiftSyntaxMacroExpansion"),
                syntax("SwiftParser"),
            ],
            swiftSettings: testSettings),
        // The command, run as a process.
        .testTarget(
            name: "DaybookToolTests",
            dependencies: [
                "DaybookTesting", "DaybookCommand", "DaybookMaintenance", "DaybookEngine",
                "DaybookRecords", "DaybookLog", "DaybookBytes",
            ],
            swiftSettings: testSettings),
        // A model of every type, and the checks that hold for every way to declare it.
        .target(
            name: "DaybookMatrix",
            dependencies: [
                "Daybook", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookBytes", "DaybookTestSupport",
            ],
            path: "Tests/Matrix",
            swiftSettings: testSettings + [.enableUpcomingFeature("InternalImportsByDefault")]),
        // Entities with macro-generated code, in real stores.
        .testTarget(
            name: "DaybookMacroTests",
            dependencies: [
                "Daybook", "DaybookObjectBox", "DaybookRealm", "DaybookMatrix", "DaybookGeneration",
                "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        // Models in a module with main actor isolation by default, as in an app.
        .testTarget(
            name: "DaybookIsolationTests", dependencies: ["Daybook", "DaybookRealm"],
            swiftSettings: testSettings + [
                .defaultIsolation(MainActor.self), .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        // The generator, called in the same way as by the plugin.
        .testTarget(
            name: "DaybookGeneratorTests",
            dependencies: ["DaybookTesting", "DaybookGeneration", "DaybookTestSupport"],
            swiftSettings: testSettings),
        // Models without macros, with code generated by the plugin, in real stores.
        .testTarget(
            name: "DaybookPluginTests",
            dependencies: ["Daybook", "DaybookObjectBox", "DaybookRealm", "DaybookMatrix"],
            swiftSettings: testSettings + [.enableUpcomingFeature("MemberImportVisibility")],
            plugins: ["DaybookGenerator"]),
        // The coding rules that can be checked automatically.
        .testTarget(name: "TidyTests", swiftSettings: testSettings),
    ]
)

if isChecked {
    package.targets += [
        // Compares queries on random objects with SQLite.
        .systemLibrary(
            name: "CSQLite", path: "Tools/benchmarks/Sources/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .testTarget(
            name: "DaybookDifferentialTests",
            dependencies: [
                "DaybookTesting", "Daybook", "DaybookQuery", "DaybookEngine", "DaybookBytes",
                "CSQLite",
            ],
            path: "Tests/Differential", swiftSettings: testSettings),
        // Log messages and metrics of stores.
        .testTarget(
            name: "DaybookObservabilityTests",
            dependencies: [
                "Daybook", "DaybookObservability",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            path: "Tests/Observability", swiftSettings: testSettings),
        // The benchmarks, a package of their own in Tools/benchmarks.
        .systemLibrary(
            name: "CLMDB", path: "Tools/benchmarks/Sources/CLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(name: "CCounted", path: "Tools/benchmarks/Sources/CCounted"),
        .executableTarget(
            name: "Benchmark", dependencies: ["Daybook", "CCounted", "CSQLite", "CLMDB"],
            path: "Tools/benchmarks/Sources/Benchmark", swiftSettings: warnings),
        .testTarget(
            name: "BenchmarkTests", dependencies: ["Benchmark"], path: "Tests/Benchmarks",
            swiftSettings: testSettings),
    ]
    // The samples, a package of their own in Samples.
    for (name, resources) in [
        ("Archive", [Resource.copy("Excerpt")]), ("LiveQuery", []), ("TimeMachine", []),
    ] {
        let settings = testSettings + [.enableUpcomingFeature("InternalImportsByDefault")]
        package.targets += [
            .executableTarget(
                name: name, dependencies: ["Daybook"], path: "Samples/\(name)",
                resources: resources, swiftSettings: settings),
            .testTarget(
                name: "\(name)Tests", dependencies: [.target(name: name), "Daybook"],
                path: "Samples/\(name)Tests", swiftSettings: settings),
        ]
    }
}
