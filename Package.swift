// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Targets stand in dependency order: each one may depend only on those above it.
// Log and Index never meet below the engine; Sources/Daybook is what people import.

/// `Tools/test` sets the variable: there a warning fails the build, elsewhere it does not stop
/// anybody.
let warnings: [SwiftSetting] =
    Context.environment["DAYBOOK_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// Every module of the library: Swift 6 mode, leaks of lower modules visible in the import list,
/// and no unmarked use of unsafe memory.
let librarySettings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableExperimentalFeature("Lifetimes"),
        .strictMemorySafety(),
        .treatWarning("StrictMemorySafety", as: .error),
    ]

/// The tests: Swift 6 mode, without the ceremony of the library's imports.
let testSettings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableExperimentalFeature("Lifetimes"),
    ]

let package = Package(
    name: "daybook",
    // No iOS, tvOS, visionOS or watchOS: they have no libzstd of their own, and some watches have
    // 32-bit processors, where `Int` is too short.
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Daybook", targets: ["Daybook"]),
        .library(name: "DaybookObjectBox", targets: ["DaybookObjectBox"]),
        .library(name: "DaybookRealm", targets: ["DaybookRealm"]),
        .executable(name: "daybook", targets: ["DaybookCommand"]),
        .executable(name: "daybook-fault", targets: ["DaybookFault"]),
        .plugin(name: "DaybookGenerator", targets: ["DaybookGenerator"]),
    ],
    traits: [
        .trait(
            name: "Macros",
            description: "The @Entity macro. Builds swift-syntax; a conformance by hand needs none."
        ),
        .default(enabledTraits: ["Macros"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
    ],
    targets: [
        // The system's libzstd; nothing else.
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        // How bytes look: spans, varints, checksums, compression, the file system.
        .target(name: "DaybookBytes", dependencies: ["CZstd"], swiftSettings: librarySettings),
        // Fault injection and crash states, for tests and the fault campaign.
        .target(
            name: "DaybookTesting", dependencies: ["DaybookBytes"], swiftSettings: librarySettings),
        // Bytes in the order of time.
        .target(name: "DaybookLog", dependencies: ["DaybookBytes"], swiftSettings: librarySettings),
        // Bytes in the order of keys.
        .target(
            name: "DaybookPages", dependencies: ["DaybookBytes"], swiftSettings: librarySettings),
        // What the bytes mean: records, rows, schemas, indexes.
        .target(
            name: "DaybookRecords", dependencies: ["DaybookPages", "DaybookBytes"],
            swiftSettings: librarySettings),
        // The only place where log and index meet.
        .target(
            name: "DaybookEngine",
            dependencies: ["DaybookLog", "DaybookRecords", "DaybookPages", "DaybookBytes"],
            swiftSettings: librarySettings),
        // Whole stores: dump and load, verification, statistics.
        .target(
            name: "DaybookMaintenance",
            dependencies: [
                "DaybookEngine", "DaybookRecords", "DaybookPages", "DaybookLog", "DaybookBytes",
            ],
            swiftSettings: librarySettings),
        // What is asked: conditions, plans, results over rows.
        .target(
            name: "DaybookQuery",
            dependencies: ["DaybookEngine", "DaybookRecords", "DaybookBytes"],
            swiftSettings: librarySettings),
        // A declaration read as an entity model, and the code written for it.
        .target(
            name: "DaybookModel",
            dependencies: [
                .product(
                    name: "SwiftSyntax", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftDiagnostics", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftSyntaxBuilder", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftSyntaxMacros", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: librarySettings),
        // The compiler plugin: a thin shell over DaybookModel.
        .macro(
            name: "DaybookMacros",
            dependencies: [
                "DaybookModel",
                .product(
                    name: "SwiftSyntaxMacros", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftCompilerPlugin", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: librarySettings),
        // What people type.
        .target(
            name: "Daybook",
            dependencies: [
                "DaybookQuery", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookBytes",
                .target(name: "DaybookMacros", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: librarySettings),
        // ObjectBox's names of operations: for models and programs that were written for ObjectBox.
        .target(
            name: "DaybookObjectBox", dependencies: ["Daybook"], swiftSettings: librarySettings),
        // Realm's types: for model files that were written for Realm.
        .target(name: "DaybookRealm", dependencies: ["Daybook"], swiftSettings: librarySettings),
        // The command and the fault campaign know no entity type: they depend on the engine.
        .executableTarget(
            name: "DaybookCommand",
            dependencies: [
                "DaybookQuery", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookBytes",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/daybook", swiftSettings: librarySettings),
        .executableTarget(
            name: "DaybookFault",
            dependencies: [
                "DaybookTesting", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookLog",
                "DaybookBytes",
            ],
            path: "Tools/fault", swiftSettings: librarySettings),
        // The same code as the macros write, for sources that carry no macro.
        .target(
            name: "DaybookGeneration",
            dependencies: [
                "DaybookModel",
                .product(
                    name: "SwiftSyntax", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftDiagnostics", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftParser", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
            ],
            path: "Tools/generate/Generation", swiftSettings: librarySettings),
        // The program that writes it, and the plugin that runs the program before a target is
        // compiled.
        .executableTarget(
            name: "DaybookGenerate", dependencies: ["DaybookGeneration"], path: "Tools/generate",
            exclude: ["Generation"], swiftSettings: librarySettings),
        .plugin(
            name: "DaybookGenerator", capability: .buildTool(),
            dependencies: ["DaybookGenerate"]),
        // What several test targets share: seeds, directories, doubles of files, proven engines.
        .target(
            name: "DaybookTestSupport",
            dependencies: [
                "DaybookMaintenance", "DaybookEngine", "DaybookRecords", "DaybookPages",
                "DaybookLog", "DaybookBytes",
            ],
            path: "Tests/Support",
            swiftSettings: testSettings + [.enableUpcomingFeature("InternalImportsByDefault")]),
        // Models in Realm's spelling, for the tests of Daybook and of DaybookRealm.
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
                "DaybookPages",
                "DaybookLog", "DaybookBytes", "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookMaintenanceTests",
            dependencies: [
                "DaybookTesting", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookPages",
                "DaybookLog", "DaybookBytes", "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookQueryTests",
            dependencies: [
                "DaybookTesting", "DaybookQuery", "DaybookEngine", "DaybookRecords", "DaybookLog",
                "DaybookPages",
                "DaybookBytes", "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookTests",
            dependencies: [
                "DaybookTesting", "Daybook", "DaybookObjectBox", "DaybookRealm", "DaybookQuery",
                "DaybookMaintenance", "DaybookEngine", "DaybookRecords", "DaybookLog",
                "DaybookBytes",
                "DaybookRealmModels", "DaybookTestSupport",
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
                .product(
                    name: "SwiftSyntaxMacroExpansion", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftParser", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: testSettings),
        // The command, run as a person runs it.
        .testTarget(
            name: "DaybookToolTests",
            dependencies: [
                "DaybookTesting", "DaybookCommand", "DaybookMaintenance", "DaybookEngine",
                "DaybookRecords",
                "DaybookLog", "DaybookBytes",
            ],
            swiftSettings: testSettings),
        // A model of every type, and what has to hold in whichever spelling it is written.
        .target(
            name: "DaybookMatrix",
            dependencies: [
                "Daybook", "DaybookMaintenance", "DaybookEngine", "DaybookRecords",
                "DaybookBytes", "DaybookTestSupport",
            ],
            path: "Tests/Matrix",
            swiftSettings: testSettings + [.enableUpcomingFeature("InternalImportsByDefault")]),
        // The macro in use: entities that it wrote, in real stores.
        .testTarget(
            name: "DaybookMacroTests",
            dependencies: [
                "Daybook", "DaybookObjectBox", "DaybookRealm", "DaybookMatrix", "DaybookGeneration",
                "DaybookTestSupport",
            ],
            swiftSettings: testSettings),
        // Models in a module that isolates to the main actor by default, as an app's does.
        .testTarget(
            name: "DaybookIsolationTests", dependencies: ["Daybook", "DaybookRealm"],
            swiftSettings: testSettings + [
                .defaultIsolation(MainActor.self), .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        // The generator, called as the plugin calls it.
        .testTarget(
            name: "DaybookGeneratorTests", dependencies: ["DaybookGeneration"],
            swiftSettings: testSettings),
        // The plugin in use: models without a macro, in real stores.
        .testTarget(
            name: "DaybookPluginTests",
            dependencies: ["Daybook", "DaybookObjectBox", "DaybookRealm", "DaybookMatrix"],
            swiftSettings: testSettings,
            plugins: ["DaybookGenerator"]),
        // The rules of the house that a machine can check.
        .testTarget(name: "TidyTests", swiftSettings: testSettings),
    ]
)

/// `Tools/test` sets the variable: the queries of random objects are held against SQLite's, whose
/// header nobody else has to have.
if Context.environment["DAYBOOK_DIFFERENTIAL"] != nil {
    package.targets += [
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
    ]
}
